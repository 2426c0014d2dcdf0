//! Bakes the Tauri configuration in. Where no page is built yet, one that says so takes its place.

use std::{fs, io, path::Path};

/// The window's page, as Vite writes it.
const PAGE: &str = "../frontend/dist/frontend/index.html";
const PLACEHOLDER: &str = "<!doctype html>
<html lang=\"en\">
  <head><meta charset=\"utf-8\"><title>Evident</title></head>
  <body><p>The window's page is not built yet. Run <code>npm run build</code> in <code>frontend</code>.</p></body>
</html>
";

fn main() -> io::Result<()> {
    let page = Path::new(PAGE);
    if !page.exists() {
        page.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(page, PLACEHOLDER)?;
    }
    println!("cargo:rerun-if-changed=../frontend/dist");
    tauri_build::build();
    Ok(())
}
