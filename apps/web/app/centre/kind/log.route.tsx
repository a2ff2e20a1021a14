import { useNavigate } from "react-router";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { AlarmLog } from "./alarms-here.tsx";
import "./kind.css";
import { KindPage } from "./kind-page.tsx";
import { useKind, useLocalText } from "./kind-view.ts";
import { kindViewAt, onOtherPath } from "./load-kind.ts";

/** The alarms of all devices of a kind. */
function Log() {
  const local = useLocalText();
  const navigate = useNavigate();
  const { kind } = useKind();
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{kind.pages?.more?.log && local(kind.pages.more.log.title)}</h1>
      </div>
      <AlarmLog kind={kind.kind} onOpen={({ id }) => void navigate(`/selfCenter/vet/alarm?id=${id}`)} />
    </>
  );
}

export const clientLoader = kindViewAt;
export const shouldRevalidate = onOtherPath;

/** The alarm log of a kind. */
export default function KindLog() {
  return (
    <KindPage>
      <Log />
    </KindPage>
  );
}
