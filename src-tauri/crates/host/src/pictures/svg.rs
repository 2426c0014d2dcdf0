//! Whether a text is an SVG, and how large its first element says it is.

use protocol::PixelSize;

/// Returns the size that an SVG says in pixels, where it says one; `None` if the text is no SVG.
pub(super) fn svg(text: &str) -> Option<Option<PixelSize>> {
    let tag = first_element(text)?.strip_prefix('<')?;
    let name_ends = tag.find(|it: char| it.is_whitespace() || matches!(it, '/' | '>'))?;
    let (name, attributes) = tag.split_at(name_ends);
    if name.rsplit(':').next() != Some("svg") {
        return None;
    }
    let (mut width, mut height) = (None, None);
    let mut rest = attributes;
    while let Some((name, value, after)) = attribute(rest) {
        match name {
            "width" => width = pixels(value),
            "height" => height = pixels(value),
            _ => {}
        }
        rest = after;
    }
    Some(width.zip(height).map(|(width, height)| PixelSize { width, height }))
}

/// Passes over what may stand before the first element.
fn first_element(text: &str) -> Option<&str> {
    let mut rest = text.trim_start();
    loop {
        rest = if rest.starts_with("<?") {
            after(rest, "?>")?
        } else if rest.starts_with("<!--") {
            after(rest, "-->")?
        } else if rest.starts_with("<!") {
            // Between brackets stand declarations of its own.
            let inner = rest.find('[').filter(|at| rest.find('>').is_none_or(|end| *at < end));
            after(inner.map_or(Some(rest), |at| after(&rest[at..], "]"))?, ">")?
        } else {
            return Some(rest);
        }
        .trim_start();
    }
}

fn after<'a>(text: &'a str, end: &str) -> Option<&'a str> {
    text.split_once(end).map(|(_, after)| after)
}

/// Takes the next attribute of an element: its name, its value, and what comes after it.
fn attribute(text: &str) -> Option<(&str, &str, &str)> {
    let (name, rest) = text.split_once('=')?;
    let name = name.trim();
    let is_name = |it: char| !it.is_whitespace() && !matches!(it, '<' | '>' | '/' | '"' | '\'');
    let rest = rest.trim_start();
    let quote = rest.chars().next().filter(|it| matches!(it, '"' | '\''))?;
    let (value, rest) = rest[1..].split_once(quote)?;
    name.chars().all(is_name).then_some((name, value, rest))
}

/// Reads a length in pixels. A share of the room, or of a letter, is none.
fn pixels(value: &str) -> Option<u32> {
    let number = value.trim();
    let number: f64 = number.strip_suffix("px").unwrap_or(number).parse().ok()?;
    let rounded = number.round();
    (1.0..=f64::from(u32::MAX)).contains(&rounded).then_some(rounded as u32)
}
