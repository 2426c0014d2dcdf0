//! Bytes by their fingerprint, compressed, and checked when they are read.

use std::io::Read as _;

use protocol::Fingerprint;
use rusqlite::{Connection, OptionalExtension as _, params};
use sha2::{Digest as _, Sha256};

const COMPRESSION_LEVEL: i32 = 3;

/// Returns the identity under which bytes are kept.
pub fn fingerprint(bytes: &[u8]) -> Fingerprint {
    Fingerprint(Sha256::digest(bytes).into())
}

/// Keeps some bytes. Those that are there already, and whole, are not written again.
pub(crate) fn put(connection: &Connection, bytes: &[u8]) -> rusqlite::Result<Fingerprint> {
    let id = fingerprint(bytes);
    if get(connection, id)?.is_some() {
        return Ok(id);
    }
    let packed = zstd::bulk::compress(bytes, COMPRESSION_LEVEL)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
    connection
        .prepare_cached("INSERT OR REPLACE INTO blobs (id, total_bytes, packed) VALUES (?, ?, ?)")?
        .execute(params![id.0, bytes.len().cast_signed(), packed])?;
    Ok(id)
}

/// Returns some bytes; `None` if they are not there, or are no longer what was put in.
pub(crate) fn get(connection: &Connection, id: Fingerprint) -> rusqlite::Result<Option<Vec<u8>>> {
    let row = connection
        .prepare_cached("SELECT total_bytes, packed FROM blobs WHERE id = ?")?
        .query_row([id.0], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?)))
        .optional()?;
    Ok(row.and_then(|(total_bytes, packed)| unpack(&packed, total_bytes, id)))
}

/// Unpacks at most `total_bytes` and one, whatever the packed bytes claim to hold.
pub(crate) fn unpack(packed: &[u8], total_bytes: i64, id: Fingerprint) -> Option<Vec<u8>> {
    let total_bytes = u64::try_from(total_bytes).ok()?;
    let mut bytes = Vec::new();
    let decoder = zstd::Decoder::with_buffer(packed).ok()?;
    decoder.take(total_bytes.saturating_add(1)).read_to_end(&mut bytes).ok()?;
    (fingerprint(&bytes) == id).then_some(bytes)
}
