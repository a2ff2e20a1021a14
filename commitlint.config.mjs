// How commits are written; CONTRIBUTING.md, "How we write", has examples.

/** First words that look like another form of a verb and are the imperative. */
const imperatives = new Set(["embed", "need", "feed", "seed", "speed", "bring", "focus"]);
const isImperative = (word) => imperatives.has(word) || !/(ed|ing|[^s]s)$/.test(word);

const plugin = {
  rules: {
    "subject-imperative": ({ subject }) => {
      const [word = ""] = (subject ?? "").split(/[\s:]/);
      return [isImperative(word), `the subject begins with an imperative verb ("add", not "added" or "adds"): ${word}`];
    },
    "subject-one-thing": ({ subject }) => [
      !/[,;]/.test(subject ?? ""),
      "the subject says one thing: lists and reasons go into the body",
    ],
  },
};

export default {
  extends: ["@commitlint/config-conventional"],
  plugins: [plugin],
  rules: {
    "type-enum": [2, "always", ["feat", "fix", "perf", "refactor", "test", "docs", "chore"]],
    "header-max-length": [2, "always", 72],
    "body-max-line-length": [2, "always", 100],
    "subject-imperative": [2, "always"],
    "subject-one-thing": [2, "always"],
  },
};
