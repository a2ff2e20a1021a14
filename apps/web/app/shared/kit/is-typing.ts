/** Whether a key is meant for what is being written or chosen, and not for the page. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null;
