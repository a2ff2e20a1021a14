import { apiLogDetail } from "@herdwise/contract";
import { apiLogList } from "@herdwise/contract/lists";
import { LogScreen } from "./log-screen.tsx";

export default function ApiLog() {
  return <LogScreen kind="api" of={apiLogList} detail={apiLogDetail} />;
}
