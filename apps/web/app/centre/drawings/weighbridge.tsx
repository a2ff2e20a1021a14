import { weighbridgeCells } from "@herdwise/device-kinds/kinds/weighbridge";
import { useTranslate } from "../../shared/language/use-language.ts";
import type { DrawingProps } from "../kind/kind-view.ts";
import styles from "./process.module.css";
import { FaultMark, Plate, ProcessPicture, useReadings, Words } from "./process.tsx";

/** Where the load cells stand, px from the left. */
const cellsX = [210, 370, 590, 750] as const;

/** The weighbridge from the side: the lorry on its platform, the load cells below it, and what the indicator shows. */
export function WeighbridgeDrawing(props: DrawingProps) {
  const t = useTranslate();
  const { textOf, saidOf, nameOf, part } = useReadings(props);
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
      height={340}
      parts={[weight, zero, calibration, spread, box]}
      judged={props.judged}
    >
      <rect x="10" y="262" width="940" height="66" className="ground" />
      <path className="cut" d="M10,222H150V262H10zM810,222H950V262H810z" />
      <g className={styles.part} data-state={weight.state}>
        <rect x="152" y="212" width="656" height="14" rx="3" className={styles.edge} fill="var(--d-side)" />
        <FaultMark x={152} y={212} state={weight.state} />
      </g>
      {loaded && (
        <g className="stroke">
          <path
            d="M300,112H620V192H300zM632,132H690L712,162V192H632z"
            fill="var(--d-top)"
            stroke="var(--d-line)"
            strokeLinejoin="round"
          />
          {[350, 400, 560, 670].map((x) => (
            <circle key={x} cx={x} cy={198} r="14" fill="var(--d-side)" stroke="var(--d-line)" />
          ))}
        </g>
      )}
      <Words x={460} y={loaded ? 156 : 176} strong>
        {loaded ? textOf("plate") : t("秤台是空的")}
      </Words>
      {weighbridgeCells.map((cell, index) => {
        const x = cellsX[index] ?? 0;
        return (
          <g key={cell} className={styles.part} data-state={spread.state}>
            <rect x={x - 12} y={226} width="24" height="36" rx="4" className={styles.edge} fill="var(--d-side)" />
            <Words x={x} y={284}>{`${cell}`}</Words>
            <Words x={x} y={306} strong>
              {saidOf(`cell_${cell}`)}
            </Words>
          </g>
        );
      })}
      <FaultMark x={480} y={244} state={spread.state} />
      <Plate
        x={20}
        y={20}
        width={220}
        name={nameOf("weight")}
        value={textOf("weight")}
        unit="kg"
        state={weight.state}
      />
      <Plate
        x={20}
        y={56}
        width={220}
        name={nameOf("zero_kg")}
        value={textOf("zero_kg")}
        unit="kg"
        state={zero.state}
      />
      <Plate x={260} y={20} width={150} name={nameOf("stable")} value={textOf("stable")} />
      <Plate x={260} y={56} width={300} name={nameOf("ticket")} value={textOf("ticket")} />
      <Plate
        x={700}
        y={20}
        width={240}
        name={nameOf("cal_days")}
        value={saidOf("cal_days")}
        state={calibration.state}
      />
      <Plate x={700} y={56} width={240} name={nameOf("t_box")} value={saidOf("t_box")} state={box.state} />
    </ProcessPicture>
  );
}
