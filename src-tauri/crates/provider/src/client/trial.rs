//! Tries an endpoint out: which models it has, and whether it answers at all.

use std::time::Duration;

use protocol::ModelMessage;
use reqwest::{
    StatusCode,
    header::{ACCEPT, CONTENT_TYPE, HeaderValue},
};
use serde::Deserialize;
use tokio::time::timeout;

use super::Provider;
use crate::{Prompt, ProviderError, address};

/// Most bytes of a list of models that are read. The longest known has a fifth of it.
const LIST_BYTES: usize = 4 << 20;
/// Most models that are taken from a list.
const LIST_MODELS: usize = 1_000;

#[derive(Deserialize)]
struct List {
    data: Vec<Model>,
}

#[derive(Deserialize)]
struct Model {
    id: String,
}

impl Provider {
    /// Asks which models there are: one request, which costs nothing. `None` if there is no list.
    ///
    /// # Errors
    ///
    /// Any [`ProviderError`] that stands before an answer, and [`ProviderError::Silent`] if it did
    /// not come `within` that time.
    pub async fn models(&self, within: Duration) -> Result<Option<Vec<String>>, ProviderError> {
        timeout(within, self.list()).await.unwrap_or(Err(ProviderError::Silent { after: within }))
    }

    async fn list(&self) -> Result<Option<Vec<String>>, ProviderError> {
        let mut headers = self.headers.clone();
        headers.remove(CONTENT_TYPE);
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        let request = self.client.get(address::models(&self.url)).headers(headers);
        let response = request.send().await;
        let mut response = response.map_err(|error| ProviderError::unsent(error, &self.url))?;
        match response.status() {
            StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED => return Ok(None),
            status if !status.is_success() => return Err(self.refusal(response).await),
            _ => {}
        }
        let mut body = Vec::new();
        loop {
            let chunk = response.chunk().await;
            let chunk = chunk.map_err(|source| ProviderError::Broken { source: Some(source) })?;
            let Some(chunk) = chunk else { break };
            if LIST_BYTES < body.len() + chunk.len() {
                return Ok(None);
            }
            body.extend_from_slice(&chunk);
        }
        let list: Option<List> = serde_json::from_slice(&body).ok();
        Ok(list.map(|it| it.data.into_iter().map(|it| it.id).take(LIST_MODELS).collect()))
    }

    /// Asks for a short answer, and gives it up as soon as it begins.
    ///
    /// # Errors
    ///
    /// As [`Provider::models`].
    pub async fn greet(&self, within: Duration) -> Result<(), ProviderError> {
        let hello = [ModelMessage::User { text: "Say hello.".to_owned() }];
        let prompt = Prompt { system: "Answer with one word.", tools: &[], messages: &hello };
        let answer = timeout(within, self.send(self.body(&prompt))).await;
        answer.unwrap_or(Err(ProviderError::Silent { after: within })).map(drop)
    }
}
