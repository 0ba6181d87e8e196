"""The bundled vendors: one TOML file each, named after the vendor's id. Data only; see ``websdk.declarative``."""
