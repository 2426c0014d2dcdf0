//! Bytes as digits, where only JSON goes.

use std::fmt::Write as _;

/// Returns each byte as two lower-case hex digits.
pub(crate) fn digits(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        write!(digits, "{byte:02x}").expect("a String takes any text");
    }
    digits
}

/// Returns the bytes that digits say; `None` if they are none.
pub(crate) fn bytes(digits: &str) -> Option<Vec<u8>> {
    let digit = |at: usize| char::from(*digits.as_bytes().get(at)?).to_digit(16);
    let byte = |at: usize| u8::try_from(16 * digit(at)? + digit(at + 1)?).ok();
    (0..digits.len()).step_by(2).map(byte).collect()
}
