//! Where a read goes on: a word that the host prints and the model gives back unchanged.

use std::fmt;

use protocol::{Fingerprint, LineRange, READ_PROTOCOL, ReadId, SessionId, WorkspacePath};
use sha2::{Digest, Sha256};

use super::source::{Snapshot, feed};

/// Bytes of the proof in a token. It is bound to a secret of the run and checked against the one
/// cursor that was issued last, so more would only cost words of the prompt.
const PROOF_BYTES: usize = 8;
/// A token is a few dozen bytes; what is longer is none.
const TOKEN_BYTES: usize = 160;

/// What a run's cursors are bound to: random, made anew for each turn, and never stored (RE-25).
#[derive(Clone, PartialEq, Eq)]
pub struct Binding([u8; 32]);

impl Binding {
    /// Makes one of random bits.
    pub fn of(bits: [u64; 4]) -> Self {
        let mut bytes = [0; 32];
        for (at, part) in bits.iter().enumerate() {
            bytes[8 * at..8 * at + 8].copy_from_slice(&part.to_le_bytes());
        }
        Self(bytes)
    }
}

/// Shows nothing of it.
impl fmt::Debug for Binding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Binding")
    }
}

/// Everything a cursor stands for (RE-21).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    pub session: SessionId,
    /// The number of the run: a new turn is another one.
    pub run: u32,
    pub read: ReadId,
    pub path: WorkspacePath,
    pub snapshot: Snapshot,
    /// The lines that are read next. They end where the request does.
    pub next: LineRange,
}

impl Cursor {
    /// Returns the word that stands for it in this run.
    pub fn token(&self, binding: &Binding) -> String {
        let LineRange { start, end } = self.next;
        let proof: String = self.proof(binding).iter().map(|it| format!("{it:02x}")).collect();
        format!("c{READ_PROTOCOL}.{}.{start}.{end}.{proof}", self.read)
    }

    fn proof(&self, binding: &Binding) -> [u8; PROOF_BYTES] {
        let mut hash = Sha256::new();
        feed(&mut hash, &binding.0);
        feed(&mut hash, &READ_PROTOCOL.to_le_bytes());
        feed(&mut hash, self.session.as_str().as_bytes());
        feed(&mut hash, &self.run.to_le_bytes());
        feed(&mut hash, self.read.as_str().as_bytes());
        feed(&mut hash, &self.path.root().0.to_le_bytes());
        feed(&mut hash, self.path.relative().as_bytes());
        feed(&mut hash, self.snapshot.to_string().as_bytes());
        feed(&mut hash, &self.next.start.to_le_bytes());
        feed(&mut hash, &self.next.end.to_le_bytes());
        let whole = Fingerprint(hash.finalize().into());
        std::array::from_fn(|at| whole.0[at])
    }
}

/// What a token says of itself. It is not accepted by being read (RE-21).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub read: ReadId,
    pub next: LineRange,
    proof: [u8; PROOF_BYTES],
}

impl Token {
    /// Reads a token; nothing unless it is spelled exactly as the host spells one.
    pub fn parse(text: &str) -> Option<Self> {
        if TOKEN_BYTES < text.len() {
            return None;
        }
        let mut parts = text.split('.');
        let mut part = || parts.next();
        let version = part()?.strip_prefix('c')?;
        let (read, start, end, proof) = (part()?, part()?, part()?, part()?);
        if parts.next().is_some() || number(version)? != READ_PROTOCOL || !is_read_id(read) {
            return None;
        }
        let next = LineRange::new(number(start)?, number(end)?);
        Some(Self { read: ReadId::minted(read), next, proof: proof_of(proof)? })
    }

    /// Returns whether this is the token of that very cursor in this run.
    pub fn is(&self, cursor: &Cursor, binding: &Binding) -> bool {
        self.read == cursor.read && self.next == cursor.next && self.proof == cursor.proof(binding)
    }
}

/// Reads a number as the host writes it: digits alone, and none that could be left out.
fn number(text: &str) -> Option<u32> {
    let number: u32 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

fn is_read_id(text: &str) -> bool {
    let is_word = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-';
    !text.is_empty() && text.bytes().all(is_word)
}

fn proof_of(text: &str) -> Option<[u8; PROOF_BYTES]> {
    if text.len() != 2 * PROOF_BYTES {
        return None;
    }
    let digit = |at: usize| {
        let it = char::from(*text.as_bytes().get(at)?);
        if it.is_ascii_uppercase() { None } else { it.to_digit(16) }
    };
    let mut proof = [0; PROOF_BYTES];
    for (at, byte) in proof.iter_mut().enumerate() {
        *byte = u8::try_from(16 * digit(2 * at)? + digit(2 * at + 1)?).ok()?;
    }
    Some(proof)
}

#[cfg(test)]
mod tests;
