//! Setting up: choosing a provider, keeping its key, and trying it out. What is chosen holds from
//! the next prompt on.

use std::{path::Path, sync::Arc};

use protocol::{
    CatalogView, KeyPlace, ModelView, ProviderSetting, ProviderTest, SessionId, SettingsView,
};
use provider::{ApiKey, CatalogEntry, Endpoint, Provider, ProviderError, catalog};

use crate::{
    Home, Host, HostError, ProviderChoice, SettingsError,
    demo::{self, Demo},
    history::blocking,
    keys::Keys,
    session_task::Model,
    settings,
    target::{self, Target, environment},
};

/// What the next prompt goes to.
#[derive(Debug)]
pub(crate) struct Chosen {
    choice: ProviderChoice,
    /// The last one that was made: its connection is kept for the next prompt.
    made: Option<(Endpoint, Arc<Provider>)>,
}

/// What [`Host::ready`] found.
#[derive(Debug, Default)]
pub struct Ready(Option<Arc<Provider>>);

impl Chosen {
    pub(crate) fn new(choice: ProviderChoice) -> Self {
        Self { choice, made: None }
    }
}

impl Host {
    /// Returns what is set up, and what can be. What is wrong with it is part of the answer.
    pub async fn settings(&self) -> SettingsView {
        let (choice, home) = (self.chosen.lock().await.choice.clone(), self.options.home.clone());
        blocking(move || view(&choice, &home)).await
    }

    /// Chooses a provider, and keeps the choice in the user's settings.
    ///
    /// # Errors
    ///
    /// [`HostError::Settings`] if the provider is not known, lacks an address, or the settings file
    /// is broken or cannot be written; [`HostError::Provider`] if the address cannot be used.
    pub async fn save_provider(&self, setting: ProviderSetting) -> Result<SettingsView, HostError> {
        let setting = trimmed(setting);
        let meant = target::target_of(&setting)?.setting();
        provider::origin(meant.base_url.as_deref().unwrap_or_default())?;
        let mut chosen = self.chosen.lock().await;
        let (flags, home) = (self.options.provider.clone(), self.options.home.clone());
        let holds = blocking(move || {
            settings::save(&home.settings_file(), &setting)?;
            let now = target::target(&flags, &home.settings_file(), &environment);
            Ok::<_, SettingsError>((now.is_ok_and(|it| it.setting() == meant), meant, flags))
        });
        let (holds, meant, flags) = holds.await?;
        // Flags and environment come before the settings (HL-2); what is picked now comes first.
        chosen.choice = if holds { flags } else { as_choice(meant) };
        drop(chosen);
        Ok(self.settings().await)
    }

    /// Chooses a model of the chosen provider. It is kept if the provider is the one that is kept.
    ///
    /// # Errors
    ///
    /// [`HostError::Settings`] if no provider is chosen, no model is named, or the settings file is
    /// broken or cannot be written.
    pub async fn set_model(&self, model: String) -> Result<SettingsView, HostError> {
        let model = given(&model).ok_or(SettingsError::NoModel { example: "NAME".to_owned() })?;
        let (choice, home) = (self.chosen.lock().await.choice.clone(), self.options.home.clone());
        let found = blocking(move || {
            let meant = target::target(&choice, &home.settings_file(), &environment)?;
            let kept = kept(&home)
                .is_some_and(|it| (it.entry, &it.base_url) == (meant.entry, &meant.base_url));
            Ok::<_, SettingsError>((meant.setting(), kept))
        });
        let (setting, is_kept) = found.await?;
        let setting = ProviderSetting { model: Some(model), ..setting };
        if is_kept {
            return self.save_provider(setting).await;
        }
        self.chosen.lock().await.choice.model = setting.model;
        Ok(self.settings().await)
    }

    /// Keeps a key for a provider: for the address that is chosen with it, or else for its own.
    ///
    /// # Errors
    ///
    /// [`HostError::Settings`] if there is no such provider or address, the key is blank, the
    /// keychain is locked, or the file cannot be written.
    pub async fn save_key(&self, provider: &str, key: String) -> Result<KeyPlace, HostError> {
        let account = self.account(provider).await?;
        let keys = Keys::of(&self.options.home);
        Ok(blocking(move || keys.keep(&account, &key)).await?)
    }

    /// Forgets the kept key of a provider, if there is one.
    ///
    /// # Errors
    ///
    /// [`HostError::Settings`] as [`Host::save_key`].
    pub async fn delete_key(&self, provider: &str) -> Result<SettingsView, HostError> {
        let account = self.account(provider).await?;
        let keys = Keys::of(&self.options.home);
        blocking(move || keys.forget(&account)).await?;
        Ok(self.settings().await)
    }

    /// Returns whom the key of a provider is for.
    async fn account(&self, provider: &str) -> Result<String, HostError> {
        let (choice, home) = (self.chosen.lock().await.choice.clone(), self.options.home.clone());
        let chosen =
            blocking(move || target::target(&choice, &home.settings_file(), &environment).ok());
        let meant = match chosen.await.filter(|it| it.entry.id == provider) {
            Some(chosen) => chosen,
            None => target::target_of(&catalogue_setting(provider))?,
        };
        Ok(provider::origin(&meant.base_url)?)
    }

    /// Tries a provider out, with a key that is not kept yet or with the one it has.
    ///
    /// What is free is asked first: which models there are. Where that is not told, the model is
    /// asked for a short answer, which is given up when it begins.
    ///
    /// # Errors
    ///
    /// [`HostError::Settings`] if something is missing to ask at all. That the provider does not
    /// answer is no error but the result.
    pub async fn test_provider(
        &self,
        setting: ProviderSetting,
        key: Option<String>,
    ) -> Result<ProviderTest, HostError> {
        let setting = trimmed(setting);
        let meant = target::target_of(&setting)?;
        let keys = Keys::of(&self.options.home);
        let typed = key.as_deref().and_then(ApiKey::new);
        let asked = meant.clone();
        let key = match typed {
            Some(key) => Some(key),
            None => blocking(move || asked.key(&keys, &environment)).await?,
        };
        let start = self.options.clock.now().steady;
        let tried = try_out(&meant, key, self).await;
        let duration = self.options.clock.now().steady.saturating_sub(start);
        Ok(match tried {
            Ok(models) => ProviderTest::Answered {
                has_model: models
                    .as_ref()
                    .zip(meant.model.as_ref())
                    .map(|(it, model)| it.contains(model)),
                model: meant.model,
                duration_ms: u32::try_from(duration.as_millis()).unwrap_or(u32::MAX),
                models,
            },
            Err(error) => ProviderTest::Failed { failure: error.failure() },
        })
    }

    /// Returns what the next turn of a session asks.
    ///
    /// # Errors
    ///
    /// [`HostError::Settings`] or [`HostError::Provider`] if no provider can be used.
    pub(crate) async fn model_for(&self, id: &SessionId, ready: Ready) -> Result<Model, HostError> {
        let choice = self.chosen.lock().await.choice.clone();
        let script = match self.sample_script(id).await? {
            None if choice.provider.as_deref() == Some(demo::NAME) => Some(demo::SCRIPT),
            script => script,
        };
        if let Some(script) = script {
            let demo = Demo::start(script).await.map_err(HostError::Demo)?;
            let provider = Provider::new(demo.endpoint.clone(), &self.options.limits)?;
            return Ok(Model { provider: Arc::new(provider), _demo: Some(demo) });
        }
        let provider = match ready.0 {
            Some(provider) => provider,
            None => self.provider_of(choice).await?,
        };
        Ok(Model { provider, _demo: None })
    }

    /// Checks what a prompt needs, before a session is made or opened for it. Hand the answer to
    /// [`Host::prompt_ready`], so that settings and keys are read once.
    ///
    /// # Errors
    ///
    /// [`HostError::Session`] if there is no such session;
    /// [`HostError::Turn`] if the prompt is empty or too long; [`HostError::Settings`] or
    /// [`HostError::Provider`] if no provider can be used.
    pub async fn ready(
        &self,
        prompt: &str,
        session: Option<&SessionId>,
    ) -> Result<Ready, HostError> {
        agent::check_prompt(prompt, &self.options.limits)?;
        let choice = self.chosen.lock().await.choice.clone();
        if choice.provider.as_deref() == Some(demo::NAME) || self.is_scripted(session).await? {
            return Ok(Ready::default());
        }
        Ok(Ready(Some(self.provider_of(choice).await?)))
    }

    /// Returns what is wrong with the user's settings, which a run that was told everything else does
    /// not read.
    pub async fn settings_fault(&self) -> Option<SettingsError> {
        let file = self.options.home.settings_file();
        blocking(move || settings::user(&file).err()).await
    }

    /// Returns the provider that a choice means; the last one is kept, with its connection.
    async fn provider_of(&self, choice: ProviderChoice) -> Result<Arc<Provider>, HostError> {
        let home = self.options.home.clone();
        let endpoint = blocking(move || {
            let meant = target::target(&choice, &home.settings_file(), &environment)?;
            meant.endpoint(&Keys::of(&home), &environment)
        });
        let endpoint = endpoint.await?;
        let mut chosen = self.chosen.lock().await;
        if let Some((made_for, provider)) = &chosen.made
            && same(made_for, &endpoint)
        {
            return Ok(Arc::clone(provider));
        }
        let provider = Arc::new(Provider::new(endpoint.clone(), &self.options.limits)?);
        chosen.made = Some((endpoint, Arc::clone(&provider)));
        Ok(provider)
    }
}

async fn try_out(
    meant: &Target,
    key: Option<ApiKey>,
    host: &Host,
) -> Result<Option<Vec<String>>, ProviderError> {
    let limits = &host.options.limits;
    let endpoint = Endpoint {
        entry: meant.entry,
        base_url: meant.base_url.clone(),
        model: meant.model.clone().unwrap_or_default(),
        key,
    };
    let provider = Provider::new(endpoint, limits)?;
    let models = provider.models(limits.trial_time).await?;
    if models.is_none() {
        provider.greet(limits.trial_time).await?;
    }
    Ok(models)
}

fn same(a: &Endpoint, b: &Endpoint) -> bool {
    (a.entry, &a.base_url, &a.model, &a.key) == (b.entry, &b.base_url, &b.model, &b.key)
}

fn view(choice: &ProviderChoice, home: &Home) -> SettingsView {
    let (file, keys) = (home.settings_file(), Keys::of(home));
    let mut problem = None;
    let mut place_of = |it: &Target| {
        it.key_place(&keys, &environment).unwrap_or_else(|error| {
            problem = Some(error.to_string());
            None
        })
    };
    let meant = target::target(choice, &file, &environment);
    let key = meant.as_ref().ok().and_then(&mut place_of);
    let catalog = catalog::entries().iter();
    let catalog = catalog.map(|entry| {
        let own = target::target_of(&catalogue_setting(entry.id)).ok();
        let chosen = meant.as_ref().ok().filter(|it| it.entry.id == entry.id);
        catalog_view(entry, own.as_ref().or(chosen).and_then(&mut place_of))
    });
    let catalog = catalog.collect();
    let provider = match &meant {
        Ok(it) => {
            if it.model.is_none() {
                let example = "NAME".to_owned();
                problem = problem.or(Some(SettingsError::NoModel { example }.to_string()));
            }
            Some(it.setting())
        }
        Err(SettingsError::NoProvider { .. }) => None,
        Err(error) => {
            problem = Some(error.to_string());
            None
        }
    };
    SettingsView {
        saved: provider.is_some() && provider == kept(home).map(|it| it.setting()),
        provider,
        key,
        problem,
        catalog,
        keys_go_to: keys.go_to(),
        file: file.display().to_string(),
    }
}

/// Returns what the settings file says alone.
fn kept(home: &Home) -> Option<Target> {
    let file: &Path = &home.settings_file();
    target::target(&ProviderChoice::default(), file, &|_| None).ok()
}

fn catalog_view(entry: &CatalogEntry, key: Option<KeyPlace>) -> CatalogView {
    let models = entry
        .models
        .iter()
        .map(|it| ModelView { id: it.name.to_owned(), context_tokens: it.context_window_tokens });
    CatalogView {
        id: entry.id.to_owned(),
        name: entry.name.to_owned(),
        base_url: entry.base_url.map(str::to_owned),
        needs_key: entry.key_variable.is_some(),
        key,
        models: models.collect(),
    }
}

fn catalogue_setting(provider: &str) -> ProviderSetting {
    ProviderSetting { provider: provider.to_owned(), base_url: None, model: None }
}

fn as_choice(setting: ProviderSetting) -> ProviderChoice {
    let ProviderSetting { provider, base_url, model } = setting;
    ProviderChoice { provider: Some(provider), base_url, model, api_key_env: None }
}

/// Takes blank fields as not given.
fn trimmed(setting: ProviderSetting) -> ProviderSetting {
    ProviderSetting {
        provider: setting.provider.trim().to_owned(),
        base_url: setting.base_url.as_deref().and_then(given),
        model: setting.model.as_deref().and_then(given),
    }
}

fn given(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
