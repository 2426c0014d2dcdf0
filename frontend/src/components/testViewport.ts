// For tests: gives long lists a viewport and their rows a height, which a page without layout lacks.

const WIDTH_PX = 400;

export function giveViewport(heightPx = 600, rowHeightPx = 20): void {
  const view = document.defaultView;
  if (view === null) throw new Error("there is no page");
  Object.defineProperty(view.HTMLElement.prototype, "offsetParent", {
    configurable: true,
    get(this: HTMLElement) {
      return this.parentElement;
    },
  });
  // As in a browser, the event of a scroll comes after it.
  const tell = (scroller: Element) =>
    queueMicrotask(() => scroller.dispatchEvent(new Event("scroll")));
  view.Element.prototype.scrollTo = function scrollTo(this: Element, to?: unknown) {
    if (typeof to === "object" && to !== null && "top" in to) this.scrollTop = Number(to.top);
    tell(this);
  };
  view.Element.prototype.scrollBy = function scrollBy(this: Element, by?: unknown) {
    if (typeof by === "object" && by !== null && "top" in by) this.scrollTop += Number(by.top);
    tell(this);
  };
  view.Element.prototype.scrollIntoView = function scrollIntoView(this: Element) {};
  view.ResizeObserver = class implements ResizeObserver {
    readonly #changed: ResizeObserverCallback;

    constructor(changed: ResizeObserverCallback) {
      this.#changed = changed;
    }

    observe(target: Element) {
      // The rows are laid out one by one, the list is what scrolls.
      const isRow = target instanceof HTMLElement && target.style.position === "absolute";
      const height = isRow ? rowHeightPx : heightPx;
      const size = [{ inlineSize: WIDTH_PX, blockSize: height }];
      const entry: ResizeObserverEntry = {
        target,
        contentRect: rect(height),
        borderBoxSize: size,
        contentBoxSize: size,
        devicePixelContentBoxSize: size,
      };
      queueMicrotask(() => this.#changed([entry], this));
    }

    unobserve() {}

    disconnect() {}
  };
}

function rect(height: number): DOMRectReadOnly {
  const place = { x: 0, y: 0, left: 0, top: 0, right: WIDTH_PX, bottom: height };
  return { ...place, width: WIDTH_PX, height, toJSON: () => place };
}
