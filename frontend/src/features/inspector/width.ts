// How wide the panel may be.

export const LEAST_WIDTH_PX = 280;
export const MOST_WIDTH_PX = 640;
export function clampWidth(widthPx: number): number {
  return Math.round(Math.min(MOST_WIDTH_PX, Math.max(LEAST_WIDTH_PX, widthPx)));
}
