interface SegmentsProps<Value extends string | number> {
  /** What is chosen, for who does not see the buttons. */
  label: string;
  /** Values with their words in the chosen language. */
  values: readonly (readonly [value: Value, name: string])[];
  /** None of the values where nothing is chosen. */
  chosen: Value | undefined;
  onChoose: (value: Value) => void;
}

/** A choice of a few words, all of them seen. */
export function Segments<Value extends string | number>({ label, values, chosen, onChoose }: SegmentsProps<Value>) {
  return (
    <fieldset className="seg">
      <legend className="visually-hidden">{label}</legend>
      {values.map(([value, name]) => (
        <button key={value} type="button" aria-pressed={value === chosen} onClick={() => onChoose(value)}>
          {name}
        </button>
      ))}
    </fieldset>
  );
}
