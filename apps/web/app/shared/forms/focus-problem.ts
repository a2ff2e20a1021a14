/** Frames in which problems come onto the screen, also those of a long form. */
const mostFrames = 30;

/** Moves to the first field that has a problem, once it is on the screen. */
export function focusFirstProblem(form: HTMLElement | null, frames = mostFrames): void {
  requestAnimationFrame(() => {
    const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (field) field.focus();
    else if (frames > 1) focusFirstProblem(form, frames - 1);
  });
}
