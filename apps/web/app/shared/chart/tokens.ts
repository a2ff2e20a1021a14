/** Colours of design tokens as the page shows them now; charts need colours, not variable names. */
export function readColours<Name extends string>(names: readonly Name[]): Record<Name, string> {
  // A variable reads as it is written, with both of its colours; a property that takes it has decided for one.
  const probe = document.body.appendChild(document.createElement("i"));
  const style = getComputedStyle(probe);
  const values = names.map((name): [Name, string] => {
    probe.style.color = `var(${name})`;
    return [name, style.color];
  });
  probe.remove();
  return Object.fromEntries(values) as Record<Name, string>;
}
