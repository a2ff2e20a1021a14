import { errorLogDetail } from "@herdwise/contract";
import { errorLogList } from "@herdwise/contract/lists";
import { LogScreen } from "./log-screen.tsx";

export default function ErrorLog() {
  return <LogScreen kind="error" of={errorLogList} detail={errorLogDetail} />;
}
