import { alarmPath, type StructureNode, structureMove } from "@herdwise/contract";
import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { loadResource } from "@herdwise/contract/resource-loader";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { Link, useNavigate } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { ConfirmDialog } from "../../shared/kit/dialog.tsx";
import { type MenuAction, MenuButton } from "../../shared/kit/menu.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import type { FormValues } from "../../shared/resource/form-values.ts";
import { RemoveDialog } from "../../shared/resource/remove-dialog.tsx";
import { useAccess } from "../../shared/session/access-context.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import styles from "./farms.module.css";
import { InventoryPanel } from "./inventory-panel.tsx";
import { StructurePlan, UnitCards } from "./structure-plan.tsx";
import { alarmMark, alarmWords, type Move, StructureTree } from "./structure-tree.tsx";
import { nodeKey, structureKey, useLevel, useSelection } from "./use-structure.ts";

const ImportTree = lazy(async () => ({ default: (await import("./tree-sheet.tsx")).ImportTree }));
const FormDrawer = lazy(async () => ({
  default: (await import("../../shared/resource/form-drawer.tsx")).FormDrawer,
}));

/** The resource that keeps each kind of place. */
const resourceNames = { farm: "farm", house: "pig_house", unit: "unit" } as const;
type Kept = keyof typeof resourceNames;
const wordsOf: Readonly<Record<Kept, string>> = { farm: "猪场", house: "猪舍", unit: "单元" };
const importPaths: Readonly<Record<Kept, string>> = {
  farm: "/selfCenter/pigFarmArchitecture/infoMainte/import",
  house: "/selfCenter/pigFarmArchitecture/pigHouseManage/import",
  unit: "/selfCenter/pigFarmArchitecture/unitManage/import",
};

/** What the drawer shows: a place, or a new one and what it begins with. */
interface Edited {
  kind: Kept;
  /** "new" for one that is added. */
  id: string;
  given: FormValues;
}

/** Number of the next place among its siblings. */
const numberAfter = (places: number): string => String(places + 1).padStart(2, "0");

/** Form of a place in the drawer of its resource. */
function PlaceDrawer({ edited, onClose }: { edited: Edited; onClose: () => void }) {
  const { permissions } = useAccess();
  const [state, setState] = useState({ row: edited.id, tab: "form" as "form" | "history" });
  const name = resourceNames[edited.kind];
  const declared = useQuery<ResourceDeclaration | null>({
    queryKey: ["declaration", name],
    queryFn: async () => (await loadResource(name)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!declared.data) return null;
  return (
    <Suspense fallback={null}>
      <FormDrawer
        of={declared.data}
        state={{ keyword: "", where: {}, sort: undefined, page: 1, size: "20", view: "", parent: "", ...state }}
        change={(next) =>
          setState((now) => ({
            row: next.row ?? now.row,
            tab: next.tab === "history" ? "history" : (next.tab ?? now.tab),
          }))
        }
        rows={[]}
        mayEdit={permissions.has(`${name}_edit`)}
        inputs={undefined}
        detail={undefined}
        given={edited.given}
        onClose={onClose}
      />
    </Suspense>
  );
}

/** Asks before a place and all it holds goes into another one. */
function MoveDialog({ move, onMove, onClose }: { move: Move; onMove: () => Promise<void>; onClose: () => void }) {
  const t = useTranslate();
  const nameOf = useNames();
  const { number } = useFormats();
  const { node, parent } = move;
  return (
    <ConfirmDialog
      title={t("把 {name} 移到 {parent}？", { name: nameOf(node.name), parent: nameOf(parent?.name ?? "") })}
      action={t("移过去")}
      kind="primary"
      onConfirm={onMove}
      onClose={onClose}
    >
      <p>
        {t("{count} 头和 {devices} 台设备一起过去，告警规则改用那边的。", {
          count: number(node.headCount),
          devices: number(node.devices),
        })}
      </p>
    </ConfirmDialog>
  );
}

/** Farms with their houses, units and devices: a tree beside a drawn plan, and the heads of what is chosen (product.md 2). */
export default function Structure() {
  const t = useTranslate();
  const nameOf = useNames();
  const { number } = useFormats();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { permissions } = useAccess();
  const [selection, select] = useSelection();
  const farms = useLevel("");
  const farmId = selection.farm ?? farms.data?.[0]?.id;
  const inFarm = useLevel(farmId && `farm:${farmId}`);
  const inHouse = useLevel(selection.house && `house:${selection.house}`);
  const farm = farms.data?.find(({ id }) => id === farmId);
  const house = inFarm.data?.find(({ kind, id }) => kind === "house" && id === selection.house);
  const unit = inHouse.data?.find(({ kind, id }) => kind === "unit" && id === selection.unit);
  const node = unit ?? house ?? farm;
  const nodeMark = node && alarmMark(node);

  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  // What is chosen is in sight, however it was chosen.
  useEffect(() => {
    const wanted = [
      ...(farmId ? [`farm:${farmId}`] : []),
      ...(selection.unit && selection.house ? [`house:${selection.house}`] : []),
    ];
    setOpen((now) => (wanted.every((key) => now.has(key)) ? now : new Set([...now, ...wanted])));
  }, [farmId, selection.house, selection.unit]);

  const [edited, setEdited] = useState<Edited>();
  const [removing, setRemoving] = useState<{ of: ResourceDeclaration; node: StructureNode }>();
  const [importing, setImporting] = useState(false);
  const [asked, setAsked] = useState<Move>();
  const [done, setDone] = useState<{ text: string; undo: () => Promise<void> }>();
  const refresh = () =>
    Promise.all([structureKey, ["resource"], ["inventory"]].map((queryKey) => client.invalidateQueries({ queryKey })));

  const send = async (kind: Kept, id: string, parentId: string, beforeId: string | undefined): Promise<void> => {
    await call(structureMove, {
      body: { kind, id, ...(kind !== "farm" && { parentId }), ...(beforeId !== undefined && { beforeId }) },
      quiet: true,
    });
    await refresh();
  };
  const fail = (reason: unknown): void => {
    const { text, values } = asApiError(reason);
    showToast({ kind: "error", text, values });
    void refresh();
  };
  const perform = async (move: Move): Promise<void> => {
    const { node: moved, parent, beforeId, afterName } = move;
    const kind = moved.kind as Kept;
    const level = client.getQueryData<StructureNode[]>([
      ...structureKey,
      "level",
      kind === "farm" ? "" : `${kind === "house" ? "farm" : "house"}:${moved.parentId}`,
    ]);
    const siblings = (level ?? []).filter((one) => one.kind === kind);
    const nextId = siblings[siblings.findIndex(({ id }) => id === moved.id) + 1]?.id;
    try {
      await send(kind, moved.id, parent?.id ?? "", beforeId);
      const name = nameOf(moved.name);
      setDone({
        text:
          afterName === undefined
            ? t("{name} 已移好", { name })
            : t("{name} 已排到 {other} 之后", { name, other: nameOf(afterName) }),
        undo: () => send(kind, moved.id, moved.parentId, nextId),
      });
    } catch (reason) {
      fail(reason);
    }
  };
  const onMove = (move: Move): void => {
    setDone(undefined);
    const elsewhere = move.node.kind !== "farm" && move.parent !== undefined && move.parent.id !== move.node.parentId;
    if (elsewhere) setAsked(move);
    else void perform(move);
  };

  const choose = ({ kind, farmId: ofFarm, houseId, unitId, id }: StructureNode): void =>
    select({
      farm: kind === "farm" ? id : ofFarm,
      house: houseId || undefined,
      unit: unitId || undefined,
    });

  const may = (kind: Kept, operation: "edit" | "delete" | "import"): boolean =>
    permissions.has(`${resourceNames[kind]}_${operation}`);
  const imports: MenuAction[] = [
    ...(permissions.has("structure_import")
      ? [{ id: "all", icon: "upload", name: t("导入整个猪场"), onAction: () => setImporting(true) } as const]
      : []),
    ...(["farm", "house", "unit"] as const)
      .filter((kind) => may(kind, "import"))
      .map(
        (kind): MenuAction => ({
          id: kind,
          icon: "upload",
          name: t("导入{one}", { one: t(wordsOf[kind]) }),
          onAction: () => void navigate(importPaths[kind]),
        }),
      ),
  ];
  const additions = useMemo(() => {
    const all: Edited[] = [{ kind: "farm", id: "new", given: {} }];
    if (farm)
      all.push({
        kind: "house",
        id: "new",
        given: { farmId: farm.id, code: `${farm.code}-${numberAfter(farm.children)}` },
      });
    if (house)
      all.push({
        kind: "unit",
        id: "new",
        given: {
          houseId: house.id,
          code: `${house.code}-${numberAfter(house.units)}`,
          ...(house.pigstyType && { pigstyType: house.pigstyType }),
        },
      });
    return all.toReversed().filter(({ kind }) => permissions.has(`${resourceNames[kind]}_edit`));
  }, [farm, house, permissions]);
  const kindOfNode = node && node.kind !== "device" ? node.kind : undefined;

  const remove = async (): Promise<void> => {
    const of = kindOfNode && (await loadResource(resourceNames[kindOfNode]));
    if (of && node) setRemoving({ of, node });
  };
  const totals = farms.data && {
    farms: farms.data.length,
    units: farms.data.reduce((sum, one) => sum + one.units, 0),
    devices: farms.data.reduce((sum, one) => sum + one.devices, 0),
    heads: farms.data.reduce((sum, one) => sum + one.headCount, 0),
  };
  const path = [farm, house, unit]
    .flatMap((one) => (one ? [nameOf(one.name)] : []))
    .slice(-2)
    .join(" ");

  return (
    <div className={styles.page}>
      <div className={styles.main}>
        <Crumbs />
        <div className={styles.head}>
          <div>
            <h1>{t("猪场结构")}</h1>
            {totals && (
              <p className="mut num">
                {t("{farms} 个场区，{units} 个单元，{devices} 台设备，{heads} 头", {
                  farms: number(totals.farms),
                  units: number(totals.units),
                  devices: number(totals.devices),
                  heads: number(totals.heads),
                })}
              </p>
            )}
          </div>
          <span className={styles.space} />
          {permissions.has("structure_export") && (farms.data?.length ?? 0) > 0 && (
            <Button
              icon="download"
              onPress={() => void import("./tree-sheet.tsx").then(({ exportTree }) => exportTree())}
            >
              {t("导出")}
            </Button>
          )}
          {imports.length > 0 && (
            <MenuButton label={t("导入")} button={<Button icon="upload">{t("导入")}</Button>} actions={imports} />
          )}
          {additions.length > 0 && (
            <MenuButton
              label={t("添加")}
              button={
                <Button kind="primary" icon="plus">
                  {t("添加")}
                </Button>
              }
              actions={additions.map((one) => ({
                id: one.kind,
                icon: "plus",
                name: t("新增{one}", { one: t(wordsOf[one.kind]) }),
                onAction: () => setEdited(one),
              }))}
            />
          )}
        </div>
        {farms.data?.length === 0 ? (
          <ExceptionView
            type="empty"
            title={t("还没有猪场")}
            text={t("先新增一个猪场，再往里加猪舍和单元；也可以用表格一次导入。")}
          />
        ) : (
          <>
            <div className={styles.both}>
              <StructureTree
                selection={{ ...selection, farm: farmId }}
                onSelect={choose}
                onMove={permissions.has("unit_edit") ? onMove : undefined}
                open={open}
                onOpen={setOpen}
                note={
                  done ? (
                    <>
                      {done.text}
                      <Button
                        kind="link"
                        onPress={() => {
                          setDone(undefined);
                          done.undo().catch(fail);
                        }}
                      >
                        {t("撤销")}
                      </Button>
                    </>
                  ) : (
                    permissions.has("unit_edit") &&
                    t("按住左边的点拖动换位；键盘按回车拿起，方向键选位置，再按回车放下")
                  )
                }
              />
              {farm ? (
                <StructurePlan farm={farm} nodes={inFarm.data ?? []} houseId={selection.house} onSelect={choose}>
                  {house && inHouse.data && (
                    <UnitCards house={house} nodes={inHouse.data} unitId={selection.unit} onSelect={choose} />
                  )}
                  {node && kindOfNode && (
                    <div className={styles.tools}>
                      <span>
                        <b>{path}</b>
                        <span className="mut num"> {node.code}</span>
                      </span>
                      {nodeMark && (
                        <Link className={`state ${nodeMark}`} to={alarmPath}>
                          <Mark name={nodeMark} />
                          {t(alarmWords(node), { count: number(node.alarms) })}
                        </Link>
                      )}
                      <span className={styles.space} />
                      <Button
                        small
                        icon={may(kindOfNode, "edit") ? "edit" : "eye"}
                        onPress={() => setEdited({ kind: kindOfNode, id: node.id, given: {} })}
                      >
                        {t(may(kindOfNode, "edit") ? "编辑{one}" : "查看{one}", { one: t(wordsOf[kindOfNode]) })}
                      </Button>
                      {may(kindOfNode, "delete") && (
                        <Button small kind="danger" icon="trash" onPress={() => void remove()}>
                          {t("删除")}
                        </Button>
                      )}
                      {node.devices > 0 && (
                        <Link className="link" to={`/selfCenter/equipmentManage/allDevices?farm=${node.farmId}`}>
                          {t("{count} 台设备", { count: number(node.devices) })}
                        </Link>
                      )}
                    </div>
                  )}
                </StructurePlan>
              ) : (
                <section className={`card ${styles.plan}`} aria-label={t("平面图")}>
                  <TableSkeleton rows={6} />
                </section>
              )}
            </div>
            {node && permissions.has("inventory_view") && (
              <InventoryPanel key={nodeKey(node)} node={node} path={path} />
            )}
          </>
        )}
      </div>
      {edited && (
        <PlaceDrawer
          key={`${edited.kind} ${edited.id}`}
          edited={edited}
          onClose={() => {
            setEdited(undefined);
            void refresh();
          }}
        />
      )}
      {importing && (
        <Suspense>
          <ImportTree onDone={() => void refresh()} onClose={() => setImporting(false)} />
        </Suspense>
      )}
      {asked && <MoveDialog move={asked} onMove={() => perform(asked)} onClose={() => setAsked(undefined)} />}
      {removing && (
        <RemoveDialog
          of={removing.of}
          ids={[removing.node.id]}
          where={undefined}
          count={1}
          titles={[nameOf(removing.node.name)]}
          onRemoved={() => {
            const { kind, farmId: ofFarm, houseId } = removing.node;
            select({ farm: kind === "farm" ? undefined : ofFarm, house: kind === "unit" ? houseId : undefined });
            void refresh();
          }}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </div>
  );
}
