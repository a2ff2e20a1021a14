/** What a scenario changes in a device and around it, at one moment. The models read it; what is absent is as usual. */
import type { ReportedValue } from "@herdwise/device-kinds";

export type Effects = {
  // Any device
  /** Powered off: nothing is measured, sent or stored. */
  readonly silent?: true;
  /** Measures on without a connection, and sends what it kept when it is back. */
  readonly cutOff?: true;
  /** Seconds that its clock is ahead. */
  readonly clockS?: number;
  /** What these channels report, whatever is true. */
  readonly reports?: Readonly<Record<string, ReportedValue>>;
  /** Channels that are not reported. */
  readonly missing?: readonly string[];

  // The air outside
  /** Share of the way from the weather of the season to a hot spell of 38 °C at noon. */
  readonly hotSpell?: number;
  /** Degrees below the weather of the season. */
  readonly colder?: number;

  // Environment control
  /** Mains, and with them fans, heat and light. */
  readonly mainsLost?: true;
  /** All fans have tripped. */
  readonly fansTripped?: true;
  /** Current of fan 1 as a multiple of what is usual. */
  readonly fanDrag?: number;
  /** The inlets hardly open. */
  readonly inletsBlocked?: true;
  /** A door stands open: the fans draw past the inlets. */
  readonly doorOpen?: true;
  /** Ammonia in ppm over a stirred pit, whatever the ventilation. */
  readonly pitAmmonia?: number;
  /** Hydrogen sulfide in ppm on top of what is usual. */
  readonly pitSulfide?: number;
  /** Share of the heating power that is there. */
  readonly heating?: number;
  /** Share of the usual drinking. */
  readonly drinking?: number;
  /** Litres per hour that run away. */
  readonly leakLh?: number;
  /** Degrees that probe 1 shows too much. */
  readonly probeOff?: number;
  /** Somebody set the unit to empty. */
  readonly setEmpty?: true;

  // Cough and herd temperature
  /** Multiple of the usual coughing. */
  readonly coughing?: number;
  /** The hour in which an episode is told. */
  readonly episodeEnds?: true;
  /** Percentage points of the herd with fever on top of what is usual. */
  readonly fever?: number;
  /** The rail is jammed. */
  readonly jammed?: true;
  /** A pig was out in the cold. */
  readonly chilled?: true;

  // Injection
  /** People inject, whatever the hour. */
  readonly session?: true;
  /** Percent that each dose is off. */
  readonly doseOff?: number;
  /** Share of bad shots. */
  readonly badShots?: number;
  /** Share of the set pressure that is reached. */
  readonly pressure?: number;
  /** Every so many shots one is not in the log. */
  readonly skipsEvery?: number;
  /** Each pig is injected twice. */
  readonly twice?: true;
  /** The bottle is of a lot that is over its date. */
  readonly expiredLot?: true;

  // Bathroom
  /** Somebody walks past the shower. */
  readonly bypass?: true;
  /** Seconds of water of each shower. */
  readonly showerS?: number;
  /** Somebody is inside, and for so many seconds. */
  readonly insideS?: number;
  /** Someone without a card, and someone whose quarantine is not over. */
  readonly stranger?: true;
  /** Water temperature in °C while it runs. */
  readonly waterC?: number;

  // Tanks: percent that is left
  readonly tank?: number;

  // Water line
  /** The dosing pump stands still while the controller doses. */
  readonly pumpStuck?: true;
  /** The dosing pump runs on without flow. */
  readonly pumpRuns?: true;
  /** Free chlorine in mg/L. */
  readonly chlorine?: number;
  /** m³/h that run away. */
  readonly leakM3h?: number;
  readonly acidity?: number;

  // Scrubber and curtain
  /** Removal as a share of what is usual. */
  readonly removal?: number;
  /** The pump stands still. */
  readonly pumpOff?: true;
  /** The pump runs and nothing flows. */
  readonly dry?: true;
  /** Pressure drop of the pack in Pa. */
  readonly packPa?: number;
  /** Nothing is drained. */
  readonly drainShut?: true;
  /** The hourly record is not written. */
  readonly unrecorded?: true;
  /** Multiple of the usual gases at the boundary. */
  readonly boundary?: number;

  // Dosing station
  /** A batch runs, whatever the hour. */
  readonly batch?: true;
  /** Valve 1 does not open. */
  readonly valveStuck?: true;
  /** L/h that leak through closed valves. */
  readonly valveLeakLh?: number;
  /** L/h that leave tank 1 beside the meters. */
  readonly tankLeakLh?: number;
  /** Percent that batches are off. */
  readonly batchOff?: number;
  /** Batches take too long. */
  readonly batchSlow?: true;
  readonly overfilled?: true;
  readonly stopped?: true;

  // Weighbridge
  /** A vehicle of so many kg stands on the platform. */
  readonly onPlatformKg?: number;
  /** The weight does not settle, and tickets are issued all the same. */
  readonly restless?: true;
  /** kg that the empty scale shows. */
  readonly zeroKg?: number;
  /** Days until the calibration ends. */
  readonly calDays?: number;
  /** Load cell 1 carries nothing. */
  readonly cellDead?: true;
  /** The camera reads no plates. */
  readonly plateless?: true;
};

export const noEffects: Effects = {};
