import { weighbridgeCells } from "@herdwise/device-kinds/kinds/weighbridge";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import type { DrawingProps } from "../kind/kind-view.ts";
import styles from "./process.module.css";
import { FaultMark, Plate, ProcessPicture, useReadings, Words } from "./process.tsx";

/** Where the load cells stand, px from the left. */
const cellsX = [210, 370, 590, 750] as const;

/** The weighbridge from the side: the lorry on its platform, the load cells below it, and what the indicator shows. */
export function WeighbridgeDrawing(props: DrawingProps) {
  const t = useTranslate();
  const { number } = useFormats();
  const { numberOf, textOf, saidOf, nameOf, part } = useReadings(props);
  const state = props.device.readings.state?.value;
  const loaded = state === "weighing" || state === "overload";
  const weight = part("weight", 480, {
    name: nameOf("weight"),
    keys: ["weight", "load"],
    rules: ["overload", "unstable", "left_on_scale"],
  });
  const zero = part("zero", 160, { name: nameOf("zero_kg"), keys: ["zero_kg"], rules: ["not_zeroed"] });
  const calibration = part("calibration", 800, {
    name: nameOf("cal_days"),
    keys: ["cal_days"],
    rules: ["calibration_expired", "calibration_soon"],
  });
  const spread = part("spread", 480, { name: nameOf("cell_spread"), keys: ["cell_spread"], rules: ["cells_uneven"] });
  const box = part("box", 860, { name: nameOf("t_box"), keys: ["t_box"] });
  return (
    <ProcessPicture
      title={t("秤台")}
      note={textOf("state")}
      width={960}
      height={loaded ? 268 : 168}
      parts={[weight, zero, calibration, spread, box]}
      judged={props.judged}
    >
      <g transform={loaded ? undefined : "translate(0,-100)"}>
        <rect x="10" y="202" width="940" height="60" className="ground" />
        <path className="cut" d="M10,162H150V202H10zM810,162H950V202H810z" />
        <g className={styles.part} data-state={weight.state}>
          <rect x="152" y="152" width="656" height="14" rx="3" className={styles.edge} fill="var(--d-side)" />
          <FaultMark x={152} y={152} state={weight.state} />
        </g>
        {loaded && (
          <g className="stroke">
            <path
              d="M268,52H588V132H268zM600,72H658L680,102V132H600z"
              fill="var(--d-top)"
              stroke="var(--d-line)"
              strokeLinejoin="round"
            />
            {[318, 368, 528, 638].map((x) => (
              <circle key={x} cx={x} cy={138} r="14" fill="var(--d-side)" stroke="var(--d-line)" />
            ))}
          </g>
        )}
        {loaded && (
          <Words x={428} y={97} strong>
            {textOf("plate")}
          </Words>
        )}
        {/* What the cells add up to is the weight and the zero that the indicator takes off it. */}
        <Words x={480} y={loaded ? 40 : 236} strong>
          {state === undefined
            ? t("尚无上报")
            : t("{weight}（零点 {zero}）", { weight: saidOf("weight"), zero: saidOf("zero_kg") })}
        </Words>
        {weighbridgeCells.map((cell, index) => {
          const x = cellsX[index] ?? 0;
          const load = numberOf(`cell_${cell}`);
          return (
            <g key={cell} className={styles.part} data-state={spread.state}>
              <rect x={x - 12} y={166} width="24" height="36" rx="4" className={styles.edge} fill="var(--d-side)" />
              <Words x={x} y={224}>{`${cell}`}</Words>
              <Words x={x} y={246} strong>
                {load === undefined ? "--" : `${number(load, loaded ? 0 : 1)} kg`}
              </Words>
            </g>
          );
        })}
        <FaultMark x={480} y={184} state={spread.state} />
      </g>
      <Plate x={16} y={16} width={238} name={t("读数")} value={textOf("stable")} />
      <Plate x={270} y={16} width={238} name={nameOf("t_box")} value={saidOf("t_box")} state={box.state} />
      <Plate x={696} y={16} width={248} name={nameOf("ticket")} value={textOf("ticket")} />
    </ProcessPicture>
  );
}
