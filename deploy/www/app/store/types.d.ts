// What the store holds. The API's own types are in types/api.d.ts, made from the server.

import type { Author, Child, Events, FamilySummary, KindName, Member } from "../types/api";
import type { Account } from "./account.js";

/** Fields by their names on the wire. */
export type Values = Record<string, any>;

/** What every event has, whatever its kind. */
export interface Common {
  id: string;
  child_id: string;
  /** 0 until the server has it. */
  revision: number;
  created_at: string;
  updated_at: string;
  created_by: Author;
  updated_by?: Author | null;
}

/** The fields of a kind. An event that was logged here lacks those that it has nothing in. */
export type Fields<Kind extends KindName> = {
  [Name in Exclude<keyof Events[Kind], keyof Common> & string]?: Events[Kind][Name] | null;
};

export type AnyEvent = Common & Values;

/** An event in the store. Its kind is of the server: it may be one that this version doesn't know. */
export interface Kept {
  id: string;
  family_id: string;
  child_id: string;
  type: string;
  /** When it starts or occurs, in milliseconds; of a plan NaN. */
  time: number;
  /** 1 where it has not ended; absent otherwise. */
  open?: 1;
  /** 1 of a plan of medicine. */
  plan?: 1;
  event: AnyEvent;
}

/** An event that was deleted, kept for as long as it can be brought back. */
export interface Deleted extends Kept {
  /** When this device heard of it, in milliseconds. */
  deleted: number;
  isUnsent: boolean;
}

/** A change that the server has not answered yet. */
export type Entry = Creation | Edit | Removal;

interface Waiting {
  /** The order in which entries are sent. The store gives it. */
  seq: number;
  id: string;
  family_id: string;
  child_id: string;
  type: string;
  /** How often it was sent. Above 0, it may have reached the server. */
  tries: number;
  /** Why the server refused it, for a person. Then it waits for one. */
  rejected?: string;
}

export interface Creation extends Waiting {
  op: "create";
  event: { id: string } & Values;
  /** Of the clock when it was made. */
  offset: number;
  /** Sent alone, to find out which of several was refused. */
  solo?: boolean;
}

export interface Edit extends Waiting {
  op: "edit";
  /** The event as it was before. */
  base: AnyEvent;
  patch: Values;
  /** When it was made, in milliseconds. */
  at: number;
}

export interface Removal extends Waiting {
  op: "delete" | "restore";
  base: AnyEvent;
}

/** An entry that has no number yet. */
export type New<Of> = Omit<Of, "seq">;

export type StoredChild = Pick<Child, "id" | "family_id" | "name" | "date_of_birth" | "revision" | "created_at">;
export type StoredMember = Member & { family_id: string };

/** A family with its people, the oldest of each first. */
export interface StoredFamily extends FamilySummary {
  members: StoredMember[];
  children: StoredChild[];
  /** Entries that wait for it. */
  unsent: number;
}

/** Said until a person dismisses it. */
export interface Notice {
  key: number;
  kind: string;
  /** What it says. One that a place ended has its name, how many entries waited and what they were instead. */
  text?: string;
  name?: string;
  count?: number;
  unsent?: Unsent[];
}

/** A child's events that could not be sent any more. */
export interface Unsent {
  id: string;
  /** Empty where it is not known any more. */
  name: string;
  date_of_birth: string;
  events: { type: string; at: string; event: AnyEvent }[];
}

/** All but the events: what every screen has at hand. */
export interface Snapshot {
  account: Account;
  families: StoredFamily[];
  /** The active one; null where there is none. */
  family: StoredFamily | null;
  child: StoredChild | null;
  notices: Notice[];
  /** Whether it is known which families there are. */
  isKnown: boolean;
  /** Entries that wait to be sent. */
  waiting: number;
  rejected: (Entry & { rejected: string })[];
  /** How many entries this device alone has: they wait, were rejected, or can still be saved from a notice. */
  onlyHere: number;
  /** Of events of the active family that wait. */
  waitingIds: Set<string>;
}
