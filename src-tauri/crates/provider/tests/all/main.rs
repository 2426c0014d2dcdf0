//! The provider over real connections.

mod answers;
mod connections;
mod refusals;
mod server;
mod trial;

use protocol::{Limits, ModelMessage};
use provider::{
    ApiKey, Endpoint, ModelEvent, ModelStream, Prompt, Provider, ProviderError, catalog,
};
use server::{Reply, Server};

/// A key that must never be seen again.
const KEY: &str = "sk-test-0123456789";

fn provider(base_url: &str, limits: &Limits) -> Provider {
    keyed(base_url, limits, Some(KEY))
}

fn keyed(base_url: &str, limits: &Limits, key: Option<&str>) -> Provider {
    let endpoint = Endpoint {
        entry: catalog::entry("custom").expect("there is a custom entry"),
        base_url: base_url.to_owned(),
        model: "test-model".to_owned(),
        key: key.and_then(ApiKey::new),
    };
    Provider::new(endpoint, limits).expect("the endpoint can be used")
}

fn body(provider: &Provider) -> Vec<u8> {
    let messages = [ModelMessage::User { text: "hello".to_owned() }];
    provider.body(&Prompt { system: "Be brief.", tools: &[], messages: &messages })
}

/// Asks once and reads the answer to its end.
async fn ask(provider: &Provider) -> (Vec<ModelEvent>, Option<ProviderError>) {
    match provider.send(body(provider)).await {
        Ok(stream) => read(stream).await,
        Err(error) => (Vec::new(), Some(error)),
    }
}

async fn read(mut stream: ModelStream) -> (Vec<ModelEvent>, Option<ProviderError>) {
    let mut events = Vec::new();
    while let Some(event) = stream.next().await {
        match event {
            Ok(event) => events.push(event),
            Err(error) => {
                assert!(stream.next().await.is_none(), "an error is the last there is");
                return (events, Some(error));
            }
        }
    }
    (events, None)
}

/// Plays one reply and asks once.
async fn answer_to(reply: Reply, limits: &Limits) -> (Vec<ModelEvent>, Option<ProviderError>) {
    let server = Server::start([reply]).await;
    ask(&provider(&server.base_url, limits)).await
}

fn text(text: &str) -> ModelEvent {
    ModelEvent::Text(text.to_owned())
}
