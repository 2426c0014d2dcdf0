// Tasks within the page, for React's scheduler, which takes `setImmediate` wherever there is one. What
// it takes else, a MessageChannel, leads through the network process in WebKit: while that one is held
// up nothing is drawn though the view scrolls, and once it has ended nothing is drawn ever again.

const MARK = "run the next task";
const waiting: (() => void)[] = [];

window.addEventListener("message", ({ source, data }) => {
  if (source === window && data === MARK) waiting.shift()?.();
});

Object.assign(window, {
  setImmediate: (run: () => void) => {
    waiting.push(run);
    window.postMessage(MARK);
  },
});
