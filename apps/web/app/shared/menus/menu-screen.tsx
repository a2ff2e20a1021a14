import { type BodyOf, type MenuChangeEffect, menuArrange, menuPreview, menus } from "@herdwise/contract";
import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useBlocker } from "react-router";
import { screens } from "../../screens.ts";
import { type ApiError, asApiError } from "../api/api-error.ts";
import { call } from "../api/call.ts";
import { ConfirmLeave } from "../forms/confirm-leave.tsx";
import { Select } from "../forms/select.tsx";
import { Icon, iconNames, iconOf } from "../icons/icon.tsx";
import { Button } from "../kit/button.tsx";
import { ConfirmDialog } from "../kit/dialog.tsx";
import { PopoverButton } from "../kit/popover.tsx";
import { tellIn } from "../language/tell.ts";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { useNames } from "../language/use-names.ts";
import { Nothing } from "../resource/cell.tsx";
import type { Cells } from "../resource/cells.ts";
import type { Row } from "../resource/form-values.ts";
import type { InputProps, PreviewProps } from "../resource/input-props.ts";
import { keysOf } from "../resource/resource-api.ts";
import { type ArrangeProps, ResourceScreen } from "../resource/resource-screen.tsx";
import { useUnsaved } from "../session/use-unsaved.ts";
import { showToast } from "../states/toast-store.ts";
import styles from "./menu-screen.module.css";

/** Menus that a question names one by one. */
const mostNamed = 5;

/** Holds buttons for roles and has no page. */
const isRights = (row: Row): boolean => row.category === 1 && textOf(row.path) === "";

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const cells: Cells = {
  name: function Name({ row }) {
    const t = useTranslate();
    return (
      <span className={styles.name}>
        {row.category === 1 && <Icon name={iconOf(textOf(row.source))} small />}
        <span>{t(textOf(row.name))}</span>
        {row.category === 2 && <span className="tag">{t("按钮")}</span>}
        {row.hidden === true && <span className="tag">{t(isRights(row) ? "一组权限" : "不显示")}</span>}
      </span>
    );
  },
  path: ({ value }) => (textOf(value) === "" ? <Nothing /> : <span className={styles.path}>{textOf(value)}</span>),
};

/** One of the screens of the app, or none. */
function ComponentInput({ id, value, onChange, row }: InputProps) {
  const t = useTranslate();
  const builtIn = row !== undefined && textOf(row.createUser) === "";
  const held = textOf(value);
  const options = [
    ["", t("无")] as const,
    ...screens.map(({ component, title, path }) => [component, `${t(title)} ${path}`] as const),
  ];
  return (
    <Select
      id={id}
      value={held}
      disabled={builtIn}
      options={options.some(([component]) => component === held) ? options : [...options, [held, held]]}
      onChange={onChange}
    />
  );
}

/** One of the icons of the app. */
function IconInput({ id, value, onChange }: InputProps) {
  const t = useTranslate();
  const held = textOf(value);
  return (
    <span className={styles.picked}>
      <PopoverButton
        label={t("选择图标")}
        button={
          <Button id={id}>
            <Icon name={iconOf(held)} />
            {held === "" ? t("选择图标") : held}
          </Button>
        }
      >
        {(close) => (
          <div className={styles.icons}>
            {iconNames.map((name) => (
              <button
                key={name}
                type="button"
                className="icon-button"
                aria-label={name}
                title={name}
                aria-pressed={name === held}
                onClick={() => {
                  onChange(name);
                  close();
                }}
              >
                <Icon name={name} />
              </button>
            ))}
          </div>
        )}
      </PopoverButton>
    </span>
  );
}

const entryWords: Readonly<Record<MenuChangeEffect["entry"], string>> = {
  stays: "{persons} 人（{tenants} 个租户）的菜单里有它，位置和显示不变。",
  moves: "{persons} 人（{tenants} 个租户）会在新位置看到它。",
  hidden: "{persons} 人（{tenants} 个租户）的菜单里不再显示它；权限不变。",
  shown: "{persons} 人（{tenants} 个租户）的菜单里会显示它。",
  removed: "{persons} 人（{tenants} 个租户）会失去它。",
};

/** What several moves mean. */
const moveWords: typeof entryWords = {
  ...entryWords,
  stays: "{persons} 人（{tenants} 个租户）会看到新的先后顺序；权限不变。",
  moves: "{persons} 人（{tenants} 个租户）会在新位置看到移动的菜单；权限不变。",
};

/** Whom a change of menus concerns. */
function Effect({ effect, words = entryWords }: { effect: MenuChangeEffect; words?: typeof entryWords }) {
  const t = useTranslate();
  const nameOf = useNames();
  const { number } = useFormats();
  return (
    <div className={styles.effect} aria-live="polite">
      <p>
        {effect.persons === 0
          ? t("现在没有人的菜单里有它。")
          : t(words[effect.entry], {
              persons: number(effect.persons),
              tenants: number(effect.tenants),
            })}
      </p>
      {effect.above.map(({ id, name, gained, lost }) => (
        <p key={id}>
          {gained > 0
            ? t("{count} 人的菜单会多出“{name}”", { count: number(gained), name: t(name) })
            : t("{count} 人的菜单会少了“{name}”，因为其中没有别的了", { count: number(lost), name: t(name) })}
        </p>
      ))}
      {effect.roles.length > 0 && (
        <ul>
          {effect.roles.map(({ roleName, persons, tenants }) => (
            <li key={roleName}>
              <span>{nameOf(roleName)}</span>
              <small className="num">
                {t("{persons} 人，{tenants} 个租户", { persons: number(persons), tenants: number(tenants) })}
              </small>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

type Change = BodyOf<typeof menuPreview>;

function useEffectOf(change: Change | undefined) {
  return useQuery({
    queryKey: ["menu effect", change],
    queryFn: ({ signal }) => call(menuPreview, { body: change ?? {}, signal, quiet: true }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    enabled: change !== undefined,
  });
}

/** Below the form: whom the values as they are typed concern. */
function FormEffect({ id, values }: PreviewProps) {
  const t = useTranslate();
  const asked = useEffectOf(id === undefined ? undefined : { id, hidden: String(values.hidden) === "true" });
  return (
    <section className={styles.panel} aria-labelledby="menu-effect">
      <h3 id="menu-effect">{t("改了什么，关系到谁")}</h3>
      {id === undefined && <p className="mut">{t("新菜单先只给集团管理员，再由他们在角色授权里授予别的角色。")}</p>}
      {asked.error && <p>{tellIn(t, asApiError(asked.error))}</p>}
      {asked.data && <Effect effect={asked.data} />}
    </section>
  );
}

/** Says whom moves concern before they are made together. */
function SaveMoves({
  moves,
  onSaved,
  onClose,
}: {
  moves: ArrangeProps["moves"];
  onSaved: () => void;
  onClose: () => void;
}) {
  const t = useTranslate();
  const { number } = useFormats();
  const [refused, setRefused] = useState<ApiError>();
  const { data, error } = useEffectOf({
    moves: moves.map(({ row, target }) => ({ id: row.id, parentId: target.parentId })),
  });
  const names = [...new Set(moves.map(({ row }) => t(textOf(row.name))))];
  const save = async (): Promise<void> => {
    setRefused(undefined);
    try {
      await call(menuArrange, {
        body: { moves: moves.map(({ row, target }) => ({ id: row.id, version: Number(row.version), ...target })) },
        quiet: true,
      });
      onSaved();
    } catch (fault) {
      setRefused(asApiError(fault));
      throw fault;
    }
  };
  return (
    <ConfirmDialog
      title={t("保存 {count} 处移动？", { count: number(moves.length) })}
      action={t("保存移动")}
      kind="primary"
      ready={data !== undefined}
      onConfirm={save}
      onClose={onClose}
    >
      <p>{names.slice(0, mostNamed).join("、") + (names.length > mostNamed ? "…" : "")}</p>
      {error && <p>{tellIn(t, asApiError(error))}</p>}
      {!data && !error && <p>{t("正在加载")}</p>}
      {data && <Effect effect={data} words={moveWords} />}
      {refused && (
        <p className="prob" role="alert">
          {tellIn(t, refused)}
        </p>
      )}
    </ConfirmDialog>
  );
}

/** Moves that wait to be saved, above the list that shows them as if they were made. */
function Arrange({ moves, takeBack }: ArrangeProps) {
  const t = useTranslate();
  const { number } = useFormats();
  const client = useQueryClient();
  const [saving, setSaving] = useState(false);
  const waits = moves.length > 0;
  useUnsaved(waits);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => waits && currentLocation.pathname !== nextLocation.pathname,
  );
  const saved = (): void => {
    takeBack(true);
    void client.invalidateQueries({ queryKey: keysOf(menus) });
    showToast({ kind: "ok", text: "已保存，马上生效" });
  };
  return (
    <>
      {waits && (
        <div className={`card ${styles.moves}`} role="status">
          <span>{t("移动了 {count} 处，还没有保存", { count: number(moves.length) })}</span>
          <span className="spacer" />
          <Button onPress={() => takeBack(false)}>{t("撤回上一步")}</Button>
          <Button onPress={() => takeBack(true)}>{t("放弃改动")}</Button>
          <Button kind="primary" onPress={() => setSaving(true)}>
            {t("查看影响并保存")}
          </Button>
        </div>
      )}
      {saving && waits && <SaveMoves moves={moves} onSaved={saved} onClose={() => setSaving(false)} />}
      {blocker.state === "blocked" && <ConfirmLeave onLeave={() => blocker.proceed()} onStay={() => blocker.reset()} />}
    </>
  );
}

/** Whose access a removal takes. */
function RemovedEffect({ id }: { id: string }) {
  const t = useTranslate();
  const { data, error } = useEffectOf({ id, removed: true });
  if (error) return <p>{tellIn(t, asApiError(error))}</p>;
  if (!data) return <p>{t("正在加载")}</p>;
  return (
    <>
      <Effect effect={data} />
      {data.buttons.length > 0 && (
        <p>{t("一起失去的按钮：{names}", { names: data.buttons.map((name) => t(name)).join("、") })}</p>
      )}
    </>
  );
}
const Removal = ({ ids }: { ids: readonly string[] }) => (
  <>
    {ids.slice(0, mostNamed).map((id) => (
      <RemovedEffect key={id} id={id} />
    ))}
  </>
);

/** What the numbers of the wire mean; keys of the translations. */
const codeWords: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  category: [
    ["1", "菜单"],
    ["2", "按钮"],
  ],
  action: [
    ["0", "无"],
    ["1", "工具栏"],
    ["2", "操作栏"],
    ["3", "工具栏和操作栏"],
  ],
  isOpen: [
    ["1", "本页"],
    ["2", "新窗口"],
  ],
};

/** A number of the wire by its word. */
function CodeInput({ id, name, value, onChange, locked }: InputProps) {
  const t = useTranslate();
  return (
    <Select
      id={id}
      value={textOf(value)}
      disabled={locked !== undefined}
      options={(codeWords[name] ?? []).map(([code, word]) => [code, t(word)])}
      onChange={onChange}
    />
  );
}

const inputs = {
  component: ComponentInput,
  source: IconInput,
  category: CodeInput,
  action: CodeInput,
  isOpen: CodeInput,
};

/** Menus and buttons as a tree to be arranged; whom a change concerns is told before it is saved. */
export function MenuScreen({ of }: { of: ResourceDeclaration }) {
  return (
    <ResourceScreen of={of} cells={cells} inputs={inputs} preview={FormEffect} arrange={Arrange} removal={Removal} />
  );
}
