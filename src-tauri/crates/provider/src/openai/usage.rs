//! Reads what a request cost out of a vendor's `usage` object.

use protocol::Usage;
use serde_json::Value;

use crate::catalog::CacheFields;

/// The tokens that `usage` tells of. What it does not tell stays unknown.
///
/// An object that counts nothing at all was not measured, and is `None` (PV-3).
pub(crate) fn read(usage: &Value, rule: CacheFields) -> Option<Usage> {
    let input_tokens = tokens(usage, &["/prompt_tokens", "/input_tokens"]);
    let output_tokens = tokens(usage, &["/completion_tokens", "/output_tokens"]);
    if input_tokens.unwrap_or(0) == 0 && output_tokens.unwrap_or(0) == 0 {
        return None;
    }
    let told = || hit_and_miss(usage);
    let derived = || cached(usage, input_tokens);
    let (cache_hit_tokens, cache_miss_tokens) = match rule {
        CacheFields::HitAndMiss => told(),
        CacheFields::CachedTokens => derived(),
        CacheFields::Either => match told() {
            (None, None) => derived(),
            some => some,
        },
    };
    Some(Usage {
        input_tokens,
        cache_hit_tokens,
        cache_miss_tokens,
        output_tokens,
        reasoning_tokens: tokens(usage, &["/completion_tokens_details/reasoning_tokens"]),
    })
}

fn hit_and_miss(usage: &Value) -> (Option<u32>, Option<u32>) {
    (tokens(usage, &["/prompt_cache_hit_tokens"]), tokens(usage, &["/prompt_cache_miss_tokens"]))
}

fn cached(usage: &Value, input: Option<u32>) -> (Option<u32>, Option<u32>) {
    let hit = tokens(usage, &["/prompt_tokens_details/cached_tokens", "/cached_tokens"]);
    let miss = input.zip(hit).and_then(|(input, hit)| input.checked_sub(hit));
    (hit, miss)
}

/// The first of the paths that holds a count.
fn tokens(usage: &Value, paths: &[&str]) -> Option<u32> {
    let count = paths.iter().find_map(|path| usage.pointer(path)?.as_u64())?;
    u32::try_from(count).ok()
}
