export interface PendingTab {
  goTo: (address: string) => void;
  giveUp: () => void;
}

/**
 * Opens a tab at once, inside the click, and sends it on later: a tab opened after waiting for an answer counts as a pop-up
 * and is blocked. The other site never learns who opened it.
 */
export function openTab(): PendingTab {
  const tab = window.open("about:blank", "_blank");
  if (tab) tab.opener = null;
  return {
    goTo: (address) => {
      if (tab && !tab.closed) tab.location.replace(address);
      else location.assign(address);
    },
    giveUp: () => tab?.close(),
  };
}
