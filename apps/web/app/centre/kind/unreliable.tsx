import type { DeviceKind } from "@herdwise/device-kinds";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useLocalText } from "./kind-view.ts";

interface UnreliableProps {
  kind: Pick<DeviceKind, "channels">;
  /** Keys of the channels; nothing is shown without them. */
  channels: readonly string[] | undefined;
  /** Where several places are told of: which of them. */
  place?: string;
}

/** Says of which values days were left out, because what is left of them is not reliable. */
export function Unreliable({ kind, channels = [], place }: UnreliableProps) {
  const t = useTranslate();
  const local = useLocalText();
  if (channels.length === 0) return null;
  const names = channels.map((key) => {
    const name = kind.channels.find((channel) => channel.key === key)?.name;
    return name ? local(name) : key;
  });
  const text = t("数值不可靠，有些日子未计入：{channels}", { channels: names.join(" · ") });
  return <p className="mut">{place === undefined ? text : `${place} · ${text}`}</p>;
}
