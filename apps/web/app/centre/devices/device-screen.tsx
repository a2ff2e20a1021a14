import type { Device } from "@herdwise/contract";
import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { useState } from "react";
import { Link } from "react-router";
import { Icon } from "../../shared/icons/icon.tsx";
import { Mark, type MarkName } from "../../shared/icons/mark.tsx";
import { Translated, TranslatedPlace } from "../../shared/language/translated.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import type { Cells } from "../../shared/resource/cells.ts";
import type { Row } from "../../shared/resource/form-values.ts";
import { ResourceScreen } from "../../shared/resource/resource-screen.tsx";
import { useAccess } from "../../shared/session/access-context.ts";
import { showToast } from "../../shared/states/toast-store.ts";
import { Credentials } from "./credentials.tsx";
import styles from "./device-list.module.css";
import { DevicePanel } from "./device-panel.tsx";
import { DeviceReport } from "./device-status.tsx";
import { LabelSheets, mostLabels } from "./label-sheets.tsx";

/** A state with its shape. */
const connections: Readonly<Record<string, { mark: MarkName; word: string }>> = {
  connected: { mark: "ok", word: "已连接" },
  disconnected: { mark: "off", word: "断开" },
};

const cells: Cells = {
  name: ({ row }) => (
    <span className={styles.name}>
      <b>
        <Translated text={String(row.name)} />
      </b>
      <small className="num">{String(row.serialNumber)}</small>
    </span>
  ),
  connection: function Connection({ value }) {
    const t = useTranslate();
    const state = connections[String(value)];
    if (!state) return null;
    return (
      <span className={`state ${state.mark}`}>
        <Mark name={state.mark} />
        {t(state.word)}
      </span>
    );
  },
  status: ({ row, value }) => (
    <DeviceReport status={value as Device["status"]} connected={row.connection === "connected"} />
  ),
  place: function Place({ row, value }) {
    const t = useTranslate();
    const { permissions } = useAccess();
    // Each part is a name of its own; what the device's name says already is not said again.
    if (value !== "") {
      const parts = String(value).split(" / ");
      const rest = parts.filter((part) => !String(row.name).includes(part));
      return <TranslatedPlace names={rest.length > 0 ? rest : parts.slice(0, 1)} />;
    }
    if (row.bound === "bound" || !permissions.has("device_claim")) return <span className="mut">{t("未绑定")}</span>;
    return (
      <Link
        className="link"
        to={`${bindPath}#sn=${encodeURIComponent(String(row.serialNumber))}`}
        onClick={(event) => event.stopPropagation()}
      >
        {t("去绑定")}
      </Link>
    );
  },
};

const bindPath = "/selfCenter/equipmentManage/bindDevice";

/** The devices of the organization, or of all for the group's staff, with what can be done with each. */
export function DeviceScreen({ of }: { of: ResourceDeclaration }) {
  const t = useTranslate();
  const { user, permissions } = useAccess();
  const ofGroup = user.tenant_type === "group";
  const [shown, setShown] = useState<{ row: Row; fresh: boolean }>();
  const [printed, setPrinted] = useState<readonly string[]>();
  const mayEquip = ofGroup && permissions.has("device_credentials");
  return (
    <>
      <ResourceScreen
        of={of}
        cells={cells}
        detail={DevicePanel}
        head={
          !ofGroup &&
          permissions.has("device_claim") && (
            <Link className="btn primary" to={bindPath}>
              <Icon name="qr" small />
              {t("绑定设备")}
            </Link>
          )
        }
        actions={(row) =>
          mayEquip
            ? [{ id: "label", icon: "qr", name: t("标签与令牌"), onAction: () => setShown({ row, fresh: false }) }]
            : []
        }
        bulkActions={(ids) => [
          {
            id: "labels",
            icon: "qr",
            name: t("打印标签"),
            onAction: () =>
              ids.length > mostLabels
                ? showToast({ kind: "error", text: "一次最多打印 {most} 个标签", values: { most: mostLabels } })
                : setPrinted(ids),
          },
        ]}
        onAdded={mayEquip ? (row) => setShown({ row, fresh: true }) : undefined}
      />
      {printed && <LabelSheets of={of} ids={printed} withCodes={mayEquip} onClose={() => setPrinted(undefined)} />}
      {shown && (
        <Credentials
          device={{ id: shown.row.id, name: String(shown.row.name), serialNumber: String(shown.row.serialNumber) }}
          fresh={shown.fresh}
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  );
}
