import { useTranslate } from "../../shared/language/use-language.ts";
import { useKind, useLocalText } from "./kind-view.ts";
import styles from "./parts.module.css";
import type { DeviceNow } from "./use-unit.ts";

/** All states that a device of the kind may be in, with the one that it tells now. */
export function DeviceStates({ device }: { device: DeviceNow }) {
  const t = useTranslate();
  const local = useLocalText();
  const { kind } = useKind();
  const told = device.readings.state?.value ?? device.readings.mode?.value;
  return (
    <p className={styles.states}>
      <span className="mut">{t("可能的状态")}</span>
      {kind.states.map(({ value, name }) => (
        <span key={value} data-state-of={value} className="tag" aria-current={value === told ? true : undefined}>
          {local(name)}
        </span>
      ))}
    </p>
  );
}
