import { type Region, regionLazyList, regionRemove, regionSubmit } from "@herdwise/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type CSSProperties, useState } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { useAddressValues } from "../../shared/address/use-address.ts";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { type MenuAction, MenuButton } from "../../shared/kit/menu.tsx";
import { SearchInput } from "../../shared/kit/search-input.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import twistStyles from "../../shared/kit/twist.module.css";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { countryCode } from "../../shared/resource/regions.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { Confirm } from "../../shared/states/confirm.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import { ImportRegions } from "./import-regions.tsx";
import { type RegionDraft, RegionForm } from "./region-form.tsx";
import styles from "./regions.module.css";

const levelWords = ["国家", "省", "市", "区县", "乡镇", "村"];
/** The innermost level, below which nothing can be added. */
const innermost = levelWords.length - 1;
const provinceLevel = 1;
/** Provinces that are called otherwise, by the ends of their names. */
const provinceWords = [
  ["自治区", "自治区"],
  ["特别行政区", "特别行政区"],
  ["市", "直辖市"],
] as const;
const levelWordOf = ({ name, regionLevel }: Region): string =>
  (regionLevel === provinceLevel && provinceWords.find(([end]) => name.endsWith(end))?.[1]) ||
  (levelWords[regionLevel] ?? "");
const keys = ["region list"] as const;

const useLevel = (parentCode: string | undefined) =>
  useQuery({
    queryKey: [...keys, parentCode],
    queryFn: ({ signal }) =>
      call(regionLazyList, { query: parentCode === undefined ? {} : { parentCode }, signal, quiet: true }),
    enabled: parentCode !== undefined,
  });

interface Acts {
  mayEdit: boolean;
  edit: (draft: RegionDraft) => void;
  toggle: (region: Region) => void;
  remove: (region: Region) => void;
}

function Line({ region, depth, acts, found }: { region: Region; depth: number; acts: Acts; found?: boolean }) {
  const t = useTranslate();
  const nameOf = useNames();
  const { number } = useFormats();
  const [open, setOpen] = useState(false);
  const below = useLevel(open ? region.code : undefined);
  const name = nameOf(region.name);
  const { mayEdit, edit, toggle, remove } = acts;
  const actions: readonly MenuAction[] = [
    { id: "edit", icon: "edit", name: t("编辑"), onAction: () => edit({ region, parent: undefined }) },
    ...(region.regionLevel === innermost
      ? []
      : [
          {
            id: "below",
            icon: "plus",
            name: t("新增下级"),
            onAction: () => edit({ region: undefined, parent: region }),
          } as const,
        ]),
    {
      id: "toggle",
      icon: region.disabled ? "check" : "lock",
      name: t(region.disabled ? "启用" : "停用"),
      onAction: () => toggle(region),
    },
    ...(region.builtIn
      ? []
      : [{ id: "remove", icon: "trash", name: t("删除"), danger: true, onAction: () => remove(region) } as const]),
  ];
  return (
    <li>
      <div
        className={styles.line}
        data-disabled={region.disabled || undefined}
        style={{ "--depth": depth } as CSSProperties}
      >
        <div className={styles.name}>
          {region.hasChildren && !found ? (
            <button
              type="button"
              className={twistStyles.twist}
              aria-expanded={open}
              aria-label={t(open ? "收起 {name}" : "展开 {name}", { name })}
              onClick={() => setOpen(!open)}
            >
              <Icon name="right" small />
            </button>
          ) : (
            <span className={twistStyles.twist} />
          )}
          <span>
            {name}{" "}
            {found && region.parentCode !== countryCode && (
              <small>
                {[region.provinceName, region.cityName, region.districtName]
                  .filter((part) => part !== "" && part !== region.name)
                  .map(nameOf)
                  .join(" · ")}
              </small>
            )}
            {region.disabled && <StateTag plain word="已停用" mark="off" />}
          </span>
        </div>
        <span className={styles.level}>{t(levelWordOf(region))}</span>
        <span className={`mut num ${styles.code}`}>{region.code}</span>
        <span className={`num ${styles.below}`}>{region.childCount > 0 && number(region.childCount)}</span>
        {mayEdit ? (
          <MenuButton
            label={t("{name} 的操作", { name })}
            button={
              <AriaButton className="icon-button" aria-label={t("{name} 的操作", { name })}>
                <Icon name="more" small />
              </AriaButton>
            }
            actions={actions}
          />
        ) : (
          <span />
        )}
      </div>
      {open && (
        <ul>
          {below.isPending && (
            <li>
              <TableSkeleton rows={2} />
            </li>
          )}
          {below.error && (
            <li>
              <LoadingProblem
                error={asApiError(below.error)}
                onRetry={() => void below.refetch()}
                what={t("行政区划")}
              />
            </li>
          )}
          {below.data?.map((one) => (
            <Line key={one.code} region={one} depth={depth + 1} acts={acts} />
          ))}
        </ul>
      )}
    </li>
  );
}

/** The divisions of the country, level by level, to be renamed, added to and disabled. */
export default function Regions() {
  const t = useTranslate();
  const client = useQueryClient();
  const mayEdit = useAccess().permissions.has("region_edit");
  const [search, go] = useAddressValues();
  const word = (search.get("q") ?? "").trim();
  const [draft, setDraft] = useState<RegionDraft>();
  const [importing, setImporting] = useState(false);
  const [asked, setAsked] = useState<{ region: Region; act: "disable" | "remove" }>();
  const top = useLevel(countryCode);
  const found = useQuery({
    queryKey: [...keys, "word", word],
    queryFn: ({ signal }) =>
      call(regionLazyList, { query: /^\d+$/.test(word) ? { code: word } : { name: word }, signal, quiet: true }),
    enabled: word !== "",
  });
  const renew = (): void => {
    void client.invalidateQueries({ queryKey: keys });
    void client.invalidateQueries({ queryKey: ["regions"] });
  };
  const setDisabled = async (region: Region, disabled: boolean): Promise<void> => {
    const { code, name } = region;
    await call(regionSubmit, { body: { code, name, disabled } });
    showToast({ kind: "ok", text: disabled ? "已停用，不再能选" : "已启用" });
    renew();
  };
  const acts: Acts = {
    mayEdit,
    edit: setDraft,
    toggle: (region) => (region.disabled ? void setDisabled(region, false) : setAsked({ region, act: "disable" })),
    remove: (region) => setAsked({ region, act: "remove" }),
  };
  const shown = word === "" ? top : found;
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("行政区划")}</h1>
        <span className="spacer" />
        {mayEdit && (
          <>
            <Button icon="upload" onPress={() => setImporting(true)}>
              {t("导入")}
            </Button>
            <Button kind="primary" icon="plus" onPress={() => setDraft({ region: undefined, parent: undefined })}>
              {t("新增区划")}
            </Button>
          </>
        )}
      </div>
      <section className="card" aria-label={t("行政区划")}>
        <div className={styles.tools}>
          <SearchInput
            id="list-search"
            label={t("按名称、拼音或编号查找")}
            value={word}
            onChange={(q) => go({ q: q === "" ? undefined : q })}
          />
        </div>
        {shown.isPending && <TableSkeleton rows={10} />}
        {shown.error && (
          <LoadingProblem error={asApiError(shown.error)} onRetry={() => void shown.refetch()} what={t("行政区划")} />
        )}
        {shown.data?.length === 0 && (
          <div className={styles.none}>
            <p>{t("没有叫“{word}”的区划。", { word })}</p>
            <Button small onPress={() => go({ q: undefined })}>
              {t("清除查找")}
            </Button>
          </div>
        )}
        {shown.data && shown.data.length > 0 && (
          <div className={styles.heads} aria-hidden="true">
            <span>{t("名称")}</span>
            <span>{t("区划级别")}</span>
            <span className={styles.code}>{t("区划代码")}</span>
            <span className={styles.below}>{t("直接下级")}</span>
          </div>
        )}
        <ul>
          {shown.data?.map((region) => (
            <Line key={region.code} region={region} depth={0} acts={acts} found={word !== ""} />
          ))}
        </ul>
      </section>
      {draft && <RegionForm draft={draft} onSaved={renew} onClose={() => setDraft(undefined)} />}
      {importing && <ImportRegions onImported={renew} onClose={() => setImporting(false)} />}
      {asked && (
        <Confirm
          title={t(asked.act === "disable" ? "停用“{name}”？" : "删除“{name}”？", { name: asked.region.name })}
          action={t(asked.act === "disable" ? "停用" : "删除")}
          onConfirm={async () => {
            if (asked.act === "disable") return setDisabled(asked.region, true);
            await call(regionRemove, { query: { id: asked.region.code } });
            showToast({ kind: "ok", text: "已删除" });
            renew();
          }}
          onClose={() => setAsked(undefined)}
        >
          <p>
            {t(
              asked.act === "disable"
                ? "它和它的下级不再能选；已经填了它的记录不变，名称照常显示。"
                : "没有下级、也没有记录用到它时才能删除。",
            )}
          </p>
        </Confirm>
      )}
    </>
  );
}
