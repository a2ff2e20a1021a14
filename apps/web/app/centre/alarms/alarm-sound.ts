/** A short two-tone signal, made here so that nothing has to be loaded when it is needed. */
let context: AudioContext | undefined;

const tones = [880, 660, 880] as const;
const toneS = 0.18;

/** Sounds once. A browser that has not been touched yet stays silent. */
export function soundAlarm(): void {
  try {
    context ??= new AudioContext();
    void context.resume();
    for (const [index, frequency] of tones.entries()) {
      const begin = context.currentTime + index * (toneS + 0.06);
      const tone = context.createOscillator();
      const volume = context.createGain();
      tone.frequency.value = frequency;
      volume.gain.setValueAtTime(0.25, begin);
      volume.gain.exponentialRampToValueAtTime(0.001, begin + toneS);
      tone.connect(volume).connect(context.destination);
      tone.start(begin);
      tone.stop(begin + toneS);
    }
  } catch {
    // No sound device: the page shows the alarm all the same.
  }
}

/** Shows a notice of the desktop, where the person allowed it. */
export function noticeOnDesktop(title: string, body: string, tag: string): void {
  if (typeof Notification === "undefined" || Notification.permission !== "granted") return;
  try {
    new Notification(title, { body, tag });
  } catch {
    // Some phones have the word and not the thing.
  }
}
