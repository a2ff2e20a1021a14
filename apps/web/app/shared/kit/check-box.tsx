import { type InputHTMLAttributes, useEffect, useRef } from "react";
import styles from "./check-box.module.css";

interface CheckBoxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "type" | "className"> {
  /** Some but not all of the represented items are ticked. */
  mixed?: boolean;
}

/** A check box; it is the browser's own, because lists have thousands of them. */
export function CheckBox({ mixed = false, ...props }: CheckBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = mixed;
  }, [mixed]);
  return <input {...props} ref={box} type="checkbox" className={styles.box} />;
}

/** A switch that takes effect when the form is saved. */
export function Switch(props: Omit<InputHTMLAttributes<HTMLInputElement>, "type" | "className" | "role">) {
  return (
    <input {...props} type="checkbox" role="switch" aria-checked={props.checked === true} className={styles.switch} />
  );
}
