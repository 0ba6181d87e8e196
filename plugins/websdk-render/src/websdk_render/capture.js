// Writes the rendered page as markup, in a world of its own that page scripts cannot reach.
// Shadow trees are written where they show, frames of the same origin inline. What the eye cannot see is kept and
// marked by inline style, so that the reader strips, counts and reports it as in any other page.
(limits) => {
  const DROPPED = new Set(["style", "noscript", "object", "embed", "applet", "canvas", "audio", "video", "source", "track", "slot"]);
  const VOID = new Set(["area", "base", "br", "col", "hr", "img", "input", "link", "meta", "wbr"]);
  const KEPT_LINKS = /(?:^|\s)(?:canonical|alternate)(?:\s|$)/i;
  const KEPT_SCRIPTS = /^(?:application\/ld\+json|math\/tex)/i;
  // The thresholds of the reader's own judgement of declarations.
  const OFF_SCREEN = -1000;
  const FAR_AWAY = 5000;
  const PERCENT_PX = 5;
  const SEEN_OPACITY = 0.05;
  const READABLE_PX = 2;
  const encoder = new TextEncoder();
  const out = [];
  const frames = [];
  let room = limits.bytes;
  let nodes = limits.nodes;
  let cut = false;

  const size = (text) => (/^[\x00-\x7f]*$/.test(text) ? text.length : encoder.encode(text).length);
  // What opens takes the room of what closes it along, so that a cut page is closed within its ceiling.
  const put = (text, end = "") => {
    const bytes = size(text) + end.length;
    if (bytes > room) { cut = true; return false; }
    room -= bytes;
    out.push(text);
    return true;
  };
  const escaped = (text) => text.replace(/[&<>]/g, (c) => (c === "&" ? "&amp;" : c === "<" ? "&lt;" : "&gt;"));
  const quoted = (text) => text.replace(/[&"<]/g, (c) => (c === "&" ? "&amp;" : c === '"' ? "&quot;" : "&lt;"));
  const putText = (text) => {
    if (put(escaped(text))) return;
    // At most five bytes for an ASCII character and three for any other.
    const part = text.slice(0, Math.max(0, Math.floor(room / 6)));
    put(escaped(part));
    cut = true;
  };
  const isClear = (color) => /^rgba\(.*,\s*0\)$/.test(color) || / \/ 0\)$/.test(color);

  // Sides as they are declared: what a computed style says of an automatic one is where it came to lie.
  const isFarOffset = (el) => {
    const map = el.computedStyleMap();
    return ["left", "top", "right", "bottom"].some((side) => {
      const value = map.get(side);
      if (!(value instanceof CSSUnitValue)) return false;
      const pixels = value.unit === "percent" ? value.value * PERCENT_PX : value.value;
      return pixels <= OFF_SCREEN || pixels >= FAR_AWAY;
    });
  };

  // Whether a box lies beside everything that can be scrolled to in the ordinary flow of the page.
  const isBeside = (el, box, css, view) => {
    const own = el.ownerDocument;
    const fixed = css.position === "fixed";
    const around = fixed ? [] : [own.documentElement, own.body, el.offsetParent].filter(Boolean).map((e) => e.getBoundingClientRect());
    const right = Math.max(view.innerWidth, ...around.map((b) => b.right));
    const bottom = Math.max(view.innerHeight, ...around.map((b) => b.bottom));
    const x = fixed ? 0 : view.scrollX, y = fixed ? 0 : view.scrollY;
    return box.right + x <= 0 || box.bottom + y <= 0 || box.left >= right || box.top >= bottom;
  };

  // What hides the element, as declarations; state is what its parent hands down.
  const cloak = (el, state) => {
    const view = el.ownerDocument.defaultView;
    const css = view.getComputedStyle(el);
    const said = [];
    const next = { ...state };
    const untilFound = (el.getAttribute("hidden") || "").toLowerCase() === "until-found";
    if (css.display === "none") return ["display:none", { ...next, gone: true }];
    if (css.contentVisibility === "hidden" && !untilFound) said.push("content-visibility:hidden");
    next.unseen = css.visibility !== "visible";
    if (next.unseen !== state.unseen) said.push(next.unseen ? "visibility:hidden" : "visibility:visible");
    if (parseFloat(css.opacity) < SEEN_OPACITY) said.push("opacity:0");
    if (css.filter.includes("opacity(")) said.push("filter:" + css.filter);
    next.tiny = parseFloat(css.fontSize) < READABLE_PX;
    if (next.tiny !== state.tiny) said.push("font-size:" + (next.tiny ? "0" : "16px"));
    const inked = css.webkitTextFillColor || css.color;
    next.clear = isClear(inked) && css.backgroundClip !== "text" && css.webkitBackgroundClip !== "text" && css.textShadow === "none";
    if (next.clear !== state.clear) said.push(next.clear ? "color:transparent" : "color:#000");
    next.pushed = parseFloat(css.textIndent) <= OFF_SCREEN;
    if (next.pushed !== state.pushed) said.push("text-indent:" + (next.pushed ? "-9999px" : "0"));
    if (css.clipPath !== "none") said.push("clip-path:" + css.clipPath);
    const placed = css.position === "absolute" || css.position === "fixed";
    if (placed && css.clip !== "auto") said.push("position:absolute;clip:" + css.clip);
    const box = el.getBoundingClientRect();
    const clips = (value) => value === "hidden" || value === "clip";
    if (css.display !== "inline" && css.display !== "contents") {
      if ((clips(css.overflowX) && el.clientWidth <= 1) || (clips(css.overflowY) && el.clientHeight <= 1)) said.push("overflow:hidden;width:0;height:0");
      const shaped = css.transform !== "none" || css.scale !== "none" || css.rotate !== "none";
      if (shaped && (box.width < 0.5 || box.height < 0.5) && el.offsetWidth > 1 && el.offsetHeight > 1) said.push("transform:scale(0)");
    }
    if (!state.away && box.width > 0 && box.height > 0) {
      const left = box.left + view.scrollX, top = box.top + view.scrollY;
      const beyond = (left <= OFF_SCREEN && left + box.width <= 0) || (top <= OFF_SCREEN && top + box.height <= 0);
      // A negative margin widens a box to the left: its text begins out there, though its right edge stays.
      const drawn = parseFloat(css.marginLeft) <= OFF_SCREEN && left <= OFF_SCREEN;
      const moved = css.position !== "static" && isFarOffset(el) && isBeside(el, box, css, view);
      if (beyond || drawn || moved) {
        said.push("position:absolute;left:-9999px");
        next.away = true;
      }
    }
    return [said.join(";"), next];
  };

  const attributes = (el, tag, style, state) => {
    let text = "";
    for (const { name, value } of el.attributes) {
      if (name.startsWith("on") || name === "style" || name === "nonce" || name === "srcset" || value.length > limits.attribute) continue;
      if (!/^[a-zA-Z_:][\w:.-]*$/.test(name)) continue;
      if (name === "hidden" && !state.gone && value.toLowerCase() !== "until-found") continue;
      if (name === "popover" && !state.gone) continue;
      if ((name === "src" || name === "href") && /^\s*data:/i.test(value)) continue;
      let shown = value;
      // Absolute here, because a frame has another base than the page that it is written into.
      if (name === "href" && (tag === "a" || tag === "area") && typeof el.href === "string") shown = el.href;
      if (name === "src" && tag === "img" && typeof el.src === "string") shown = el.src;
      text += ` ${name}="${quoted(shown)}"`;
    }
    return style ? `${text} style="${quoted(style)}"` : text;
  };

  const children = (el) => {
    if (el.shadowRoot) return el.shadowRoot.childNodes;
    return el.childNodes;
  };

  const writeFrame = (el, state, depth) => {
    let inner = null;
    try { inner = el.contentDocument; } catch { inner = null; }
    if (inner && inner.body) {
      if (put("<div>", "</div>")) {
        for (const child of inner.body.childNodes) write(child, state, depth + 1);
        out.push("</div>");
      }
      return;
    }
    const box = el.getBoundingClientRect();
    const view = el.ownerDocument.defaultView;
    const share = (box.width * box.height) / (view.innerWidth * view.innerHeight);
    if (!state.gone && !state.unseen && share >= limits.frameShare) {
      if (put(`<div ${limits.mark}="${frames.length}"></div>`)) frames.push(el);
    }
  };

  // A template shows nothing; its text is for the reader to count.
  const writeTemplate = (el, state, depth) => {
    if (state.head || !put("<template>", "</template>")) return;
    for (const child of el.content.childNodes) write(child, { ...state, gone: true }, depth + 1);
    out.push("</template>");
  };

  const write = (node, state, depth) => {
    if (cut) return;
    if (nodes-- <= 0 || depth > limits.depth) { cut = true; return; }
    if (node.nodeType === 3) { putText(node.data); return; }
    if (node.nodeType !== 1) return;
    const tag = node.localName;
    if (tag === "slot" && node.assignedNodes) {
      const assigned = node.assignedNodes({ flatten: true });
      for (const child of assigned.length ? assigned : node.childNodes) write(child, state, depth + 1);
      return;
    }
    if (DROPPED.has(tag) || !/^[a-zA-Z][\w.:-]*$/.test(tag)) return;
    if (tag === "template") { if (node.content) writeTemplate(node, state, depth); return; }
    if (tag === "script" && !KEPT_SCRIPTS.test(node.type || "")) return;
    if (tag === "link" && !KEPT_LINKS.test(node.rel || "")) return;
    const inHead = state.head || tag === "head";
    const [style, next] = state.gone || inHead ? ["", { ...state, head: inHead }] : cloak(node, state);
    if (tag === "iframe" || tag === "frame") { writeFrame(node, next, depth); return; }
    const end = VOID.has(tag) ? "" : `</${tag}>`;
    if (!put(`<${tag}${attributes(node, tag, style, next)}>`, end)) return;
    if (!end) return;
    if (tag === "script") {
      put(node.textContent.replace(/<\/script/gi, "<\\/script"));
    } else if (tag === "title" && inHead) {
      putText(node.textContent);
    } else {
      if (tag === "pre") put("\n");
      for (const child of children(node)) write(child, next, depth + 1);
    }
    out.push(end);
  };

  put("<!doctype html>");
  write(document.documentElement, { gone: false, head: false, unseen: false, tiny: false, clear: false, pushed: false, away: false }, 0);
  globalThis[limits.noted] = frames;
  return { html: out.join(""), cut, frames: frames.length, url: document.URL, state: document.readyState };
}
