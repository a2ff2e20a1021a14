import { usualLogDetail } from "@herdwise/contract";
import { usualLogList } from "@herdwise/contract/lists";
import { LogScreen } from "./log-screen.tsx";

export default function UsualLog() {
  return <LogScreen kind="usual" of={usualLogList} detail={usualLogDetail} />;
}
