import { jobPage, jobStates } from "@herdwise/contract";
import { choice, list, moment, text } from "@herdwise/contract/resource";
import { stateWords } from "./job-words.ts";

/** Long work that a person began. */
export const jobList = list({
  name: "job",
  path: "/api/muyuan-system/job",
  page: jobPage.path,
  words: { one: "任务", many: "任务", oneEn: "Job" },
  title: "title",
  fields: {
    title: text("任务", { max: 60, column: true }),
    state: choice("状态", {
      options: jobStates.map((state) => [state, stateWords[state]]),
      column: true,
      filter: true,
      single: true,
    }),
    done: text("进度", { max: 60, column: true }),
    createTime: moment("提交时间", { column: true }),
    finishTime: moment("结束时间", { column: true }),
  },
});
