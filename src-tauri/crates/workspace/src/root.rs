//! The folders the agent may work in, and which file a path names.

use std::{
    io,
    path::{self, MAIN_SEPARATOR, Path, PathBuf},
};

use protocol::{Limits, RootId, WorkspacePath};

use crate::{
    Barrier, FileError, OpenError, Place, PlaceKind,
    follow::{Followed, Kind, follow, follow_absolute, normalised},
    system,
};

/// Most bytes of a path that is looked up. No system takes longer ones without tricks.
const PATH_BYTES: usize = 4096;

/// The folders the agent may work in.
///
/// Every method blocks. None reads or writes outside of the folders, whatever links are in them.
#[derive(Debug)]
pub struct Workspace {
    roots: Vec<Root>,
    name: String,
    barrier: Barrier,
    limits: Limits,
}

#[derive(Debug)]
struct Root {
    /// Canonical.
    real: PathBuf,
    /// As it was given; leads to the same folder.
    spelled: PathBuf,
}

/// What a canonical path is known by.
#[derive(Debug)]
struct Named {
    path: WorkspacePath,
    shown: String,
}

impl Workspace {
    /// Opens `roots`: the first is the workspace, the others were added. `forbidden` are folders
    /// of our own; no root may be one, hold one, or lie in one (PM-2).
    ///
    /// # Errors
    ///
    /// - [`OpenError::NoFolder`] without a root.
    /// - [`OpenError::NotAFolder`], [`OpenError::NotUnicode`] or [`OpenError::Io`] for a root
    ///   that cannot be used.
    /// - [`OpenError::FilesystemRoot`] or [`OpenError::OwnState`] for one that never may.
    pub fn open(
        roots: &[PathBuf],
        forbidden: &[PathBuf],
        limits: &Limits,
    ) -> Result<Self, OpenError> {
        let forbidden: Vec<PathBuf> = forbidden
            .iter()
            .map(|it| Ok(canonical(it)?.1.real))
            .collect::<Result<_, OpenError>>()?;
        let roots: Vec<Root> =
            roots.iter().map(|it| Root::open(it, &forbidden)).collect::<Result<_, _>>()?;
        let first = roots.first().ok_or(OpenError::NoFolder)?;
        let name = first.real.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { roots, name, barrier: Barrier::default(), limits: limits.clone() })
    }

    /// Returns the name of the workspace's folder.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the folders, links followed; the workspace first.
    pub fn roots(&self) -> impl Iterator<Item = &Path> {
        self.roots.iter().map(|root| root.real.as_path())
    }

    /// Returns what keeps freezes and writes apart.
    pub fn barrier(&self) -> &Barrier {
        &self.barrier
    }

    /// Returns what `text` names: a file, a folder, or nothing yet. It is relative to the
    /// workspace, or absolute in one of the folders. `~` and variables are names like others, and
    /// `..` takes back the name before it, be that a link or not.
    ///
    /// # Errors
    ///
    /// - [`FileError::InvalidPath`] if it can name nothing.
    /// - [`FileError::Outside`], [`FileError::LinkOutside`] if it is in none of the folders.
    /// - [`FileError::NotAFolder`] if it goes through a file; [`FileError::Special`] if it ends at
    ///   a pipe, a socket or a device.
    /// - [`FileError::Missing`] if it goes through a broken link.
    /// - [`FileError::NoPermission`], [`FileError::Io`] if it cannot be looked at.
    pub fn resolve(&self, text: &str) -> Result<Place, FileError> {
        let (id, rest) = self.spelled(text)?;
        self.look_up(id, &rest)
    }

    /// Returns the folder that `text` names; the workspace if there is no text.
    ///
    /// # Errors
    ///
    /// Those of [`Workspace::resolve`], [`FileError::Missing`] if nothing is there, and
    /// [`FileError::NotAFolder`] if a file is.
    pub fn folder(&self, text: Option<&str>) -> Result<Place, FileError> {
        let place = self.resolve(text.unwrap_or("."))?;
        match place.kind {
            PlaceKind::Folder => Ok(place),
            PlaceKind::File => Err(FileError::NotAFolder { shown: place.shown }),
            PlaceKind::Absent => Err(FileError::Missing { shown: place.shown }),
        }
    }

    /// Looks again at what `path` names.
    ///
    /// # Errors
    ///
    /// Those of [`Workspace::resolve`], and [`FileError::Changed`] if a link, or a name in another
    /// case, has come to stand on the way: then it names another file.
    pub fn place(&self, path: &WorkspacePath) -> Result<Place, FileError> {
        let place = self.look_up(path.root(), Path::new(path.relative()))?;
        if place.path == *path { Ok(place) } else { Err(FileError::Changed { shown: place.shown }) }
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns where a canonical path is on this machine, without a look.
    pub(crate) fn absolute(&self, path: &WorkspacePath) -> Result<PathBuf, FileError> {
        let outside = || FileError::Outside { shown: path.relative().to_owned() };
        Ok(self.root(path.root()).ok_or_else(outside)?.join(path.relative()))
    }

    pub(crate) fn root(&self, id: RootId) -> Option<&Path> {
        Some(&self.roots.get(id.0 as usize)?.real)
    }

    /// Returns the place of a canonical path at which a walk found `kind`.
    pub(crate) fn place_of(&self, real: &Path, kind: PlaceKind) -> Option<Place> {
        let Named { path, shown } = self.named(real)?;
        Some(Place { path, absolute: real.to_owned(), shown, link_target: None, kind })
    }

    /// Returns where a link leads that a walk found in a canonical folder.
    pub(crate) fn place_of_link(&self, link: &Path) -> Option<Place> {
        let Named { path, .. } = self.named(link)?;
        self.look_up(path.root(), Path::new(path.relative())).ok()
    }

    /// Finds the root that `text` says it is in, without a look at what is there.
    fn spelled(&self, text: &str) -> Result<(RootId, PathBuf), FileError> {
        let shown = || protocol::head(text, PATH_BYTES).to_owned();
        if text.is_empty() || text.contains('\0') || PATH_BYTES < text.len() {
            return Err(FileError::InvalidPath { shown: shown() });
        }
        let path = normalised(&self.roots[0].real.join(system::plain(PathBuf::from(text))));
        let mut roots = (0..).zip(&self.roots);
        let found = roots.find_map(|(at, root)| Some((RootId(at), root.below(&path)?)));
        found.ok_or_else(|| FileError::Outside { shown: shown() })
    }

    fn look_up(&self, id: RootId, rest: &Path) -> Result<Place, FileError> {
        let (Some(root), Some(rest_shown)) = (self.roots.get(id.0 as usize), slashed(rest)) else {
            return Err(FileError::Outside { shown: rest.display().to_string() });
        };
        let shown = root.shown(id, &rest_shown);
        if !rest.iter().all(system::is_usable) {
            return Err(FileError::InvalidPath { shown });
        }
        let followed = follow(&root.real, rest).map_err(|lost| match self.named(&lost.at) {
            None => FileError::LinkOutside { shown: shown.clone() },
            Some(at) if lost.source.kind() == io::ErrorKind::NotADirectory => {
                FileError::NotAFolder { shown: at.shown }
            }
            Some(_) if lost.source.kind() == io::ErrorKind::TooManyLinks => {
                FileError::LinkCircle { shown: shown.clone() }
            }
            Some(_) => FileError::from_io("follow", &shown, lost.source),
        })?;
        let Some(named) = self.named(&followed.real) else {
            return Err(if self.roots().any(|root| followed.real.starts_with(root)) {
                FileError::InvalidPath { shown }
            } else {
                FileError::LinkOutside { shown }
            });
        };
        let kind = match followed.kind {
            None => PlaceKind::Absent,
            Some(Kind::File) => PlaceKind::File,
            Some(Kind::Folder) => PlaceKind::Folder,
            Some(Kind::Link | Kind::Special) => return Err(FileError::Special { shown }),
        };
        let Named { path, shown: real_shown } = named;
        let (shown, link_target) =
            if followed.by_link { (shown, Some(real_shown)) } else { (real_shown, None) };
        Ok(Place { path, absolute: followed.real, shown, link_target, kind })
    }

    /// Names a canonical path by the first root that holds it, if one does and it is Unicode.
    fn named(&self, real: &Path) -> Option<Named> {
        let mut roots = (0..).zip(&self.roots);
        let (id, root, rest) = roots
            .find_map(|(at, root)| Some((RootId(at), root, real.strip_prefix(&root.real).ok()?)))?;
        let relative = slashed(rest)?;
        let path = WorkspacePath::new(id, &relative).ok()?;
        Some(Named { path, shown: root.shown(id, &relative) })
    }
}

impl Root {
    fn open(given: &Path, forbidden: &[PathBuf]) -> Result<Self, OpenError> {
        let (spelled, followed) = canonical(given)?;
        let (real, path) = (followed.real, given.to_owned());
        if followed.kind != Some(Kind::Folder) {
            return Err(OpenError::NotAFolder { path });
        }
        if real.parent().is_none() {
            return Err(OpenError::FilesystemRoot { path });
        }
        if forbidden.iter().any(|own| own.starts_with(&real) || real.starts_with(own)) {
            return Err(OpenError::OwnState { path });
        }
        if real.to_str().is_none() {
            return Err(OpenError::NotUnicode { path });
        }
        let same = follow_absolute(&spelled).is_ok_and(|it| it.real == real);
        Ok(Self { spelled: if same { spelled } else { real.clone() }, real })
    }

    /// Returns the rest of a normalised path that is in this folder as it is spelled.
    fn below(&self, path: &Path) -> Option<PathBuf> {
        for base in [&self.real, &self.spelled] {
            if let Ok(rest) = path.strip_prefix(base) {
                return Some(rest.to_owned());
            }
            // The same folder in another case, where cases are not told apart.
            let depth = base.components().count();
            let start: PathBuf = path.components().take(depth).collect();
            let lower = |path: &Path| path.to_string_lossy().to_lowercase();
            if lower(&start) == lower(base)
                && follow_absolute(&start).is_ok_and(|it| it.real == self.real)
            {
                return Some(path.components().skip(depth).collect());
            }
        }
        None
    }

    fn shown(&self, id: RootId, relative: &str) -> String {
        if id == RootId(0) {
            return if relative.is_empty() { "." } else { relative }.to_owned();
        }
        let root = self.real.to_string_lossy().replace(MAIN_SEPARATOR, "/");
        if relative.is_empty() { root } else { format!("{root}/{relative}") }
    }
}

/// Returns a folder's path as it is spelled, and where it leads.
fn canonical(given: &Path) -> Result<(PathBuf, Followed), OpenError> {
    let failed = |source| OpenError::Io { path: given.to_owned(), source };
    let absolute = system::plain(path::absolute(given).map_err(failed)?);
    let followed = follow_absolute(&absolute).map_err(|lost| failed(lost.source))?;
    Ok((normalised(&absolute), followed))
}

/// Returns a relative path with `/`, if it is Unicode.
fn slashed(relative: &Path) -> Option<String> {
    let names: Option<Vec<&str>> = relative.iter().map(|name| name.to_str()).collect();
    Some(names?.join("/"))
}
