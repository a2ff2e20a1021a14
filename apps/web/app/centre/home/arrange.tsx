import { type ReactNode, useState } from "react";
import { Icon } from "../../shared/icons/icon.tsx";
import { Button, IconButton } from "../../shared/kit/button.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import styles from "./arrange.module.css";
import { type Arrangement, type CardId, cardIds, moved, ordinary, type Width, widths } from "./arrangement.ts";

export const cardNames: Readonly<Record<CardId, string>> = {
  board: "数据看板",
  farms: "我的场区",
  alarms: "预警中心",
  todo: "待办",
  devices: "我的设备",
  exceptions: "异常",
  declarations: "我的申报",
  declared: "申报成的订单",
  orders: "我的订单",
  info: "我的信息",
  account: "账户管理",
  solutions: "解决方案",
  shortcuts: "常用入口",
};
const widthNames: Readonly<Record<Width, string>> = { 2: "1/3", 3: "1/2", 4: "2/3", 6: "1" };

interface ArrangeProps {
  kept: Arrangement;
  render: (id: CardId) => ReactNode;
  onDone: (arrangement: Arrangement) => void;
  onCancel: () => void;
}

/** The cards with handles: dragged, or moved by the arrow keys; four widths, and a tray for what is not wanted. */
export function Arrange({ kept, render, onDone, onCancel }: ArrangeProps) {
  const t = useTranslate();
  const [cards, setCards] = useState(kept);
  const [held, setHeld] = useState<CardId>();
  const [said, setSaid] = useState("");
  const away = cardIds.filter((id) => !cards.some((card) => card.id === id));
  const move = (id: CardId, to: number): void => {
    const next = moved(cards, id, to);
    setCards(next);
    const at = next.findIndex((card) => card.id === id) + 1;
    setSaid(t("{card} 在第 {at} 位，共 {count} 位", { card: t(cardNames[id]), at, count: next.length }));
  };
  return (
    <>
      <div className={styles.bar}>
        <b>{t("正在布置")}</b>
        <span>{t("拖动换位置，或选中拖动按钮后按方向键；宽度有四种。随账号保存，手机上只换顺序。")}</span>
        <span className="spacer" />
        <Button onPress={() => setCards(ordinary)}>{t("恢复默认")}</Button>
        <Button onPress={onCancel}>{t("取消")}</Button>
        <Button kind="primary" onPress={() => onDone(cards)}>
          {t("完成")}
        </Button>
      </div>
      <p className="visually-hidden" role="status">
        {said}
      </p>
      <ol className={styles.grid}>
        {cards.map(({ id, width }, at) => (
          <li
            key={id}
            className={styles.cell}
            style={{ gridColumn: `span ${width}` }}
            data-held={held === id || undefined}
            onDragOver={(event) => {
              if (held === undefined) return;
              event.preventDefault();
              if (held !== id) move(held, at);
            }}
            onDrop={(event) => {
              event.preventDefault();
              setHeld(undefined);
            }}
          >
            {/* biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same by keys. */}
            <div
              className={styles.handle}
              draggable
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = "move";
                event.dataTransfer.setData("text/plain", id);
                setHeld(id);
              }}
              onDragEnd={() => setHeld(undefined)}
            >
              <button
                type="button"
                aria-label={t("移动{card}", { card: t(cardNames[id]) })}
                onKeyDown={(event) => {
                  const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
                  if (step === undefined) return;
                  event.preventDefault();
                  move(id, at + step);
                }}
              >
                <Icon name="grip" small />
                {t("拖动")}
              </button>
              <span className="spacer" />
              <fieldset className="seg" aria-label={t("{card}的宽度", { card: t(cardNames[id]) })}>
                {widths.map((one) => (
                  <button
                    key={one}
                    type="button"
                    aria-pressed={one === width}
                    onClick={() => setCards(cards.map((card) => (card.id === id ? { id, width: one } : card)))}
                  >
                    {widthNames[one]}
                  </button>
                ))}
              </fieldset>
              <IconButton
                small
                icon="close"
                label={t("收起{card}", { card: t(cardNames[id]) })}
                onPress={() => setCards(cards.filter((card) => card.id !== id))}
              />
            </div>
            <div className={styles.inert} inert>
              {render(id)}
            </div>
          </li>
        ))}
      </ol>
      <section className={styles.tray} aria-label={t("没放出来的")}>
        <b>{t("没放出来的")}</b>
        {away.length === 0 && <span className="mut">{t("都放出来了")}</span>}
        {away.map((id) => (
          <Button key={id} small icon="plus" onPress={() => setCards([...cards, { id, width: 2 }])}>
            {t(cardNames[id])}
          </Button>
        ))}
      </section>
    </>
  );
}
