// Made by `babybasics openapi --javascript` from the server's own description of the kinds. Not changed by hand.

/** @type {Record<string, import("./api").Kind>} */
export const kinds = {
  feeding: {
    number: 0, plural: "feedings", time: "started_at", end: "ended_at",
    fields: {
      type: { form: "choice", words: ["breast", "bottle", "solid"], required: true },
      started_at: { form: "time", required: true },
      ended_at: { form: "time" },
      side: { form: "choice", words: ["left", "right", "both"], required: true, types: ["breast"] },
      left_minutes: { form: "whole", least: 0, most: 1440, types: ["breast"] },
      right_minutes: { form: "whole", least: 0, most: 1440, types: ["breast"] },
      last_side: { form: "choice", words: ["left", "right"], types: ["breast"] },
      amount_ml: { form: "number", least: 0.1, most: 1000, types: ["bottle"] },
      content: { form: "choice", words: ["breast_milk", "formula", "mixed", "other"], types: ["bottle"] },
      food: { form: "line", longest: 200, types: ["solid"] },
      notes: { form: "text", longest: 2000 },
    },
  },
  diaper: {
    number: 1, plural: "diapers", time: "occurred_at",
    fields: {
      type: { form: "choice", words: ["wet", "dirty", "mixed", "dry"], required: true },
      occurred_at: { form: "time", required: true },
      color: { form: "choice", words: ["yellow", "brown", "green", "black", "red", "white", "other"] },
      notes: { form: "text", longest: 2000 },
    },
  },
  sleep: {
    number: 2, plural: "sleeps", time: "started_at", end: "ended_at",
    fields: {
      type: { form: "choice", words: ["nap", "night"] },
      started_at: { form: "time", required: true },
      ended_at: { form: "time" },
      notes: { form: "text", longest: 2000 },
    },
  },
  note: {
    number: 3, plural: "notes", time: "occurred_at",
    fields: {
      content: { form: "text", longest: 5000, required: true },
      occurred_at: { form: "time", required: true },
      for_doctor: { form: "flag" },
      notes: { form: "text", longest: 2000 },
    },
  },
  pumping: {
    number: 4, plural: "pumpings", time: "started_at", end: "ended_at",
    fields: {
      started_at: { form: "time", required: true },
      ended_at: { form: "time" },
      side: { form: "choice", words: ["left", "right", "both"] },
      amount_ml: { form: "number", least: 0.1, most: 2000 },
      notes: { form: "text", longest: 2000 },
    },
  },
  measurement: {
    number: 5, plural: "measurements", time: "occurred_at", atLeastOneOf: ["weight_g", "length_cm", "head_cm"],
    fields: {
      occurred_at: { form: "time", required: true },
      weight_g: { form: "whole", least: 200, most: 60000 },
      length_cm: { form: "number", least: 20, most: 150 },
      head_cm: { form: "number", least: 15, most: 70 },
      notes: { form: "text", longest: 2000 },
    },
  },
  temperature: {
    number: 6, plural: "temperatures", time: "occurred_at",
    fields: {
      occurred_at: { form: "time", required: true },
      celsius: { form: "number", least: 30, most: 45, required: true },
      site: { form: "choice", words: ["rectal", "oral", "ear", "forehead", "armpit"] },
      notes: { form: "text", longest: 2000 },
    },
  },
  medication: {
    number: 7, plural: "medications", time: "occurred_at",
    fields: {
      occurred_at: { form: "time", required: true },
      name: { form: "line", longest: 100, required: true },
      dose: { form: "line", longest: 50 },
      plan_id: { form: "identifier" },
      notes: { form: "text", longest: 2000 },
    },
  },
  activity: {
    number: 8, plural: "activities", time: "started_at", end: "ended_at",
    fields: {
      started_at: { form: "time", required: true },
      ended_at: { form: "time" },
      name: { form: "line", longest: 60, required: true },
      notes: { form: "text", longest: 2000 },
    },
  },
  discard: {
    number: 9, plural: "discards", time: "occurred_at",
    fields: {
      occurred_at: { form: "time", required: true },
      amount_ml: { form: "number", least: 0.1, most: 2000, required: true },
      notes: { form: "text", longest: 2000 },
    },
  },
};
