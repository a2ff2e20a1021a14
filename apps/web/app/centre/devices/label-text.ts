/** What a device's label says. */
export interface LabelText {
  serialNumber: string;
  code: string;
}

/**
 * Reads what a QR code of a label holds: the address of the page that binds, with serial number and code behind its #.
 * @returns undefined for any other code
 */
export function readLabel(text: string): LabelText | undefined {
  const at = text.indexOf("#");
  if (at < 0) return undefined;
  const values = new URLSearchParams(text.slice(at + 1));
  const serialNumber = (values.get("sn") ?? "").slice(0, 200);
  return serialNumber === "" ? undefined : { serialNumber, code: (values.get("code") ?? "").slice(0, 16) };
}

/** What the QR code of a label opens. Behind the # it reaches no server's log. */
export const labelAddress = ({ serialNumber, code }: LabelText): string =>
  `${location.origin}/selfCenter/equipmentManage/bindDevice#${new URLSearchParams({ sn: serialNumber, code })}`;
