import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const folder = "apps/server/src/modules/background-jobs";
const unit: Tests = { files: [`${folder}/background-jobs.test.ts`] };
const api: Tests = { files: ["tests/api/jobs.test.ts"] };
const queue: Tests = { files: ["tests/faults/jobs.test.ts"] };

export const jobMutants: Mutant[] = [
  ...faultsIn(`${folder}/background-job.service.ts`, unit, [
    [
      "jobs: a cancelled one goes on",
      "if (!(await repository.progress(runner, job.id, run.attempt, done, total))) {",
      "if (!(await repository.progress(runner, job.id, run.attempt, done, total)) && total < 0) {",
    ],
    ["jobs: what a broken one left stays", "} catch (error) {\n      await takeBack();", "} catch (error) {"],
    [
      "jobs: what a run left that was believed dead stays",
      '{ state: "succeeded", result }))) await takeBack();',
      '{ state: "succeeded", result }))) {}',
    ],
    [
      "jobs: steps are taken back in the order in which they were made",
      "for (const step of undoSteps.reverse()) await",
      "for (const step of undoSteps) await",
    ],
    ["jobs: no message is left at the end", 'await tellOfEnd(to.messages, job, end.state === "succeeded");', ""],
    [
      "jobs: a failure is told as a success",
      'tellOfEnd(to.messages, job, end.state === "succeeded")',
      "tellOfEnd(to.messages, job, true)",
    ],
    [
      "jobs: a refusal is tried again",
      "(!refused && run.attempt < definition.retries)",
      "run.attempt < definition.retries",
    ],
    [
      "jobs: a fault is not tried again",
      "(!refused && run.attempt < definition.retries)",
      "(!refused && run.attempt < 0)",
    ],
    ["jobs: why one was refused is not told", "reason: refused ? error.reason :", 'reason: refused ? "jobs.failed" :'],
    [
      "jobs: that the time was over is not told",
      'signal.reason instanceof JobTimeout ? "jobs.timeout"',
      'signal.reason instanceof JobTimeout ? "jobs.failed"',
    ],
    [
      "jobs: one person may have any number",
      "if ((await repository.unfinishedOf(owner)) >= unfinishedPerAccount) {",
      "if ((await repository.unfinishedOf(owner)) < 0) {",
    ],
    [
      "jobs: one that is not stored is in the queue",
      "{ id, given: payload }, to.jobs.runner);",
      "{ id, given: payload });",
    ],
    ["jobs: one that waits is given up", "lingering.filter(({ queueId }) => !known.has(queueId))", "lingering"],
    [
      "jobs: one that was lost stays",
      "const lost = lingering.filter(({ queueId }) => !known.has(queueId));",
      "const lost = lingering.slice(99);",
    ],
    [
      "jobs: how far one is is not told to the page",
      "signal.throwIfAborted();\n      changed(job.accountId, job.id);",
      "signal.throwIfAborted();",
    ],
  ]),
  ...faultsIn(`${folder}/background-job.repository.ts`, unit, [
    [
      "jobs: a run that was believed dead ends its job",
      'finishedAt: sql<Date>`now()`,\n        })\n        .where("id", "=", id)\n        .where(inScope(scope, "backgroundJobs"))\n        .where("state", "=", "running")\n        .where("attempt", "=", attempt)',
      'finishedAt: sql<Date>`now()`,\n        })\n        .where("id", "=", id)\n        .where(inScope(scope, "backgroundJobs"))\n        .where("state", "=", "running")',
    ],
    [
      "jobs: a cancelled one ends as if it was not",
      'finishedAt: sql<Date>`now()`,\n        })\n        .where("id", "=", id)\n        .where(inScope(scope, "backgroundJobs"))\n        .where("state", "=", "running")',
      'finishedAt: sql<Date>`now()`,\n        })\n        .where("id", "=", id)\n        .where(inScope(scope, "backgroundJobs"))',
    ],
    [
      "jobs: a new one is taken for lost",
      '.where("createdAt", "<", sql<Date>`now() - ${olderThanS} * interval \'1 s\'`)\n        .limit(500)',
      ".limit(500)",
    ],
    [
      "jobs: others' are cancelled",
      '.where(ofAccount(owner, "backgroundJobs"))\n        .where("id", "in", [...ids])',
      '.where("id", "in", [...ids])',
      api,
    ],
    [
      "jobs: finished ones are cancelled",
      '.where("id", "in", [...ids])\n        .where("state", "in", unfinished)\n        .returning(["id", "queueId"])',
      '.where("id", "in", [...ids])\n        .returning(["id", "queueId"])',
      api,
    ],
    [
      "jobs: others' are found",
      'return rows().where(ofAccount(owner, "backgroundJobs")).where("id", "=", id).executeTakeFirst();',
      'return rows().where("id", "=", id).executeTakeFirst();',
      api,
    ],
    [
      "jobs: others' are listed",
      'const own = rows().where(ofAccount(owner, "backgroundJobs"));',
      "const own = rows();",
      api,
    ],
    [
      "jobs: others' are on the stream",
      'return rows().where(ofAccount(owner, "backgroundJobs")).where("state", "in", unfinished)',
      'return rows().where("state", "in", unfinished)',
      api,
    ],
  ]),
  ...faultsIn("apps/server/src/jobs/queue.ts", queue, [
    ["jobs: those of a dead server are not looked for", "await boss.supervise();\n", ""],
    [
      "jobs: a server that stops keeps its own",
      "if (isInterrupted(signal) || job.retryCount < definition.retries) {",
      "if (job.retryCount < definition.retries) {",
    ],
  ]),
];
