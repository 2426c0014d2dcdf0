// Whether the keys or a pointer were used last. WebKit takes the arrow keys in a group of radios for a
// pointer, so that `:focus-visible` says nothing there.

/** Keeps `data-input` of the page: `keys` or `pointer`. Returns how to stop it. */
export function watchInput(page: Document): () => void {
  const keys = () => {
    page.documentElement.dataset.input = "keys";
  };
  const pointer = () => {
    page.documentElement.dataset.input = "pointer";
  };
  page.addEventListener("keydown", keys, true);
  page.addEventListener("pointerdown", pointer, true);
  return () => {
    page.removeEventListener("keydown", keys, true);
    page.removeEventListener("pointerdown", pointer, true);
  };
}
