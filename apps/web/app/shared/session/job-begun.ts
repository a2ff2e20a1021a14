/** Event of the window that says a job began, so that the header shows its progress at once. */
export const jobBegun = "job-begun";

export const tellJobBegun = (): void => {
  window.dispatchEvent(new Event(jobBegun));
};
