// Made by `babybasics openapi --typescript` from the endpoint table. Not changed by hand.

/** An event of each kind. */
export interface Events {
  feeding: Feeding;
  diaper: Diaper;
  sleep: Sleep;
  note: Note;
  pumping: Pumping;
  measurement: Measurement;
  temperature: Temperature;
  medication: Medication;
  activity: Activity;
  discard: Discard;
}
export type KindName = keyof Events;

/** A kind as `kinds.js` describes it. `time` and `end` name fields. */
export interface Kind {
  number: number;
  plural: string;
  time: "started_at" | "occurred_at";
  end?: "ended_at";
  atLeastOneOf?: string[];
  fields: Record<string, Field>;
}

/** What a field may hold. With `types` it belongs to events of these types alone. */
export interface Field {
  form: "choice" | "line" | "text" | "time" | "number" | "whole" | "flag" | "identifier";
  words?: string[];
  least?: number;
  most?: number;
  longest?: number;
  required?: true;
  types?: string[];
}

export type Health = {
  status: "ok" | "unavailable";
  service: string;
  version: string;
};
export type AboutServer = {
  server: AboutServerDescription;
};
export type AboutServerDescription = {
  name: string;
  version: string;
  registration: "open" | "invite";
  mail: boolean;
  support: string | null;
  push_key: string | null;
  languages: Array<string>;
};
export type Registration = {
  name: string;
  email: string;
  password: string;
  timezone?: string | null;
  day_start_time?: string | null;
  language?: "en" | "de" | "es" | "fr" | "it" | "pt-BR" | "nl" | "pl" | "ar" | "he" | null;
  session?: "cookie" | null;
  invite?: string | null;
};
export type SignedIn = {
  session: SignedInSession;
  user: SignedInAccount;
};
export type SignedInSession = {
  token: string | null;
  expires_at: string;
};
export type SignedInAccount = {
  id: string;
  email: string;
  name: string;
  timezone: string;
  day_start_time: string;
};
export type Credentials = {
  email: string;
  password: string;
  session?: "cookie" | null;
};
export type PasswordResetForms = PasswordReset | LinkedPasswordReset;
export type PasswordReset = {
  email: string;
  new_password: string;
  revoke_sessions?: boolean | null;
};
export type LinkedPasswordReset = {
  token: string;
  new_password: string;
};
export type Done = {
  success: boolean;
};
export type PasswordChange = {
  current_password: string;
  new_password: string;
};
export type EmailChange = {
  current_password: string;
  new_email: string;
  revoke_sessions?: boolean | null;
};
export type UserAnswer = {
  user: User;
};
export type User = {
  id: string;
  email: string;
  email_verified: boolean;
  name: string;
  timezone: string;
  day_start_time: string;
  quiet: QuietHours | null;
  show_details: boolean;
  language: string;
  created_at: string;
  updated_at: string;
};
export type QuietHours = {
  from: string;
  to: string;
};
export type EmailOfAccount = {
  email: string;
};
export type Accepted = {
};
export type MailedLink = {
  token: string;
};
export type SessionList = {
  sessions: Array<OpenSession>;
  count: number;
};
export type OpenSession = {
  id: string;
  created_at: string;
  last_used_at: string;
  expires_at: string;
  user_agent: string | null;
  current: boolean;
};
export type UserChanges = {
  name?: string;
  timezone?: string;
  day_start_time?: string;
  show_details?: boolean;
  language?: "en" | "de" | "es" | "fr" | "it" | "pt-BR" | "nl" | "pl" | "ar" | "he";
  quiet?: QuietHours | null;
};
export type AccountDeletion = {
  password: string;
};
export type NewProgramToken = {
  name: string;
  family_id: string;
  scope: "read" | "log";
  expires_at?: string | null;
};
export type IssuedTokenAnswer = {
  token: IssuedToken;
};
export type IssuedToken = {
  id: string;
  name: string;
  family_id: string;
  family_name: string;
  scope: "read" | "log";
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  secret: string;
};
export type ProgramTokenList = {
  tokens: Array<ProgramToken>;
  count: number;
};
export type ProgramToken = {
  id: string;
  name: string;
  family_id: string;
  family_name: string;
  scope: "read" | "log";
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
};
export type NewDevice = {
  type: "web_push";
  endpoint: string;
  keys: WebPushSubscriptionKeys;
  application_server_key?: string | null;
} | {
  type: "apns";
  token: string;
  environment: "production" | "sandbox";
};
export type WebPushSubscriptionKeys = {
  p256dh: string;
  auth: string;
};
export type DeviceAnswer = {
  device: Device;
};
export type Device = {
  id: string;
  type: "web_push" | "apns";
  created_at: string;
  user_agent: string | null;
  current: boolean;
};
export type DeviceList = {
  devices: Array<Device>;
  count: number;
};
export type NewFamily = {
  id?: string | null;
  name: string;
  sharing_policy?: "standard" | "co_parent" | null;
};
export type FamilyAnswer = {
  family: Family;
};
export type Family = {
  id: string;
  name: string;
  sharing_policy: "standard" | "co_parent";
  owner_id: string | null;
  revision: number;
  created_at: string;
  updated_at: string;
};
export type FamilyList = {
  families: Array<FamilySummary>;
  count: number;
};
export type FamilySummary = {
  id: string;
  name: string;
  sharing_policy: "standard" | "co_parent";
  owner_id: string | null;
  role: "parent" | "caregiver" | "viewer";
  children_count: number;
  members_count: number;
  revision: number;
  created_at: string;
  updated_at: string;
};
export type FamilyDetailsAnswer = {
  family: FamilyDetails;
};
export type FamilyDetails = {
  id: string;
  name: string;
  sharing_policy: "standard" | "co_parent";
  owner_id: string | null;
  role: "parent" | "caregiver" | "viewer";
  members: Array<Member>;
  children: Array<ChildSummary>;
  revision: number;
  created_at: string;
  updated_at: string;
};
export type Member = {
  user_id: string;
  name: string;
  email: string;
  role: "parent" | "caregiver" | "viewer";
  is_owner: boolean;
  access_until: string | null;
  revision: number;
  joined_at: string;
};
export type ChildSummary = {
  id: string;
  name: string;
  date_of_birth: string;
};
export type FamilyChanges = {
  name?: string;
};
export type NewOwner = {
  user_id: string;
};
export type MemberList = {
  members: Array<Member>;
  count: number;
};
export type MemberChanges = {
  role?: "parent" | "caregiver" | "viewer";
  access_until?: string | null;
};
export type MemberAnswer = {
  member: Member;
};
export type NewInvite = {
  role: "parent" | "caregiver" | "viewer";
  invitee_email?: string | null;
  label?: string | null;
  access_until?: string | null;
  send?: boolean | null;
};
export type InviteAnswer = {
  invite: Invite;
};
export type Invite = {
  id: string;
  join_url: string;
  deep_link?: string;
  role: "parent" | "caregiver" | "viewer";
  invitee_email: string | null;
  label: string | null;
  access_until: string | null;
  expires_at: string;
  created_at: string;
};
export type InviteToken = {
  token: string;
};
export type Joined = {
  family: JoinedJoinedFamily;
  invited_by: NamedPerson;
};
export type JoinedJoinedFamily = {
  id: string;
  name: string;
  role: "parent" | "caregiver" | "viewer";
};
export type NamedPerson = {
  name: string;
};
export type InvitePreviewAnswer = {
  invite: InvitePreview;
};
export type InvitePreview = {
  family: InvitePreviewNamedFamily;
  invited_by: NamedPerson;
  role: "parent" | "caregiver" | "viewer";
  access_until: string | null;
  expires_at: string;
};
export type InvitePreviewNamedFamily = {
  name: string;
};
export type InviteList = {
  invites: Array<OpenInvite>;
  count: number;
};
export type OpenInvite = {
  id: string;
  role: "parent" | "caregiver" | "viewer";
  created_by: OpenInviteCreator;
  created_at: string;
  expires_at: string;
  invitee_email: string | null;
  label: string | null;
  access_until: string | null;
};
export type OpenInviteCreator = {
  user_id: string | null;
  name: string;
};
export type NewChild = {
  id?: string | null;
  name: string;
  date_of_birth: string;
};
export type ChildAnswer = {
  child: Child;
};
export type Child = {
  id: string;
  family_id: string;
  family_name: string;
  name: string;
  date_of_birth: string;
  role: "parent" | "caregiver" | "viewer";
  revision: number;
  created_at: string;
  updated_at: string;
};
export type ChildList = {
  children: Array<Child>;
  count: number;
};
export type ChildReplacement = {
  name: string;
  date_of_birth: string;
};
export type ChildChanges = {
  name?: string;
  date_of_birth?: string;
};
export type FeedingToLog = {
  id?: string | null;
  type: "breast";
  started_at?: string | null;
  ended_at?: string | null;
  side: "left" | "right" | "both";
  left_minutes?: number | null;
  right_minutes?: number | null;
  last_side?: "left" | "right" | null;
  amount_ml?: null;
  content?: null;
  food?: null;
  notes?: string | null;
} | {
  id?: string | null;
  type: "bottle";
  started_at?: string | null;
  ended_at?: string | null;
  side?: null;
  left_minutes?: null;
  right_minutes?: null;
  last_side?: null;
  amount_ml?: number | null;
  content?: "breast_milk" | "formula" | "mixed" | "other" | null;
  food?: null;
  notes?: string | null;
} | {
  id?: string | null;
  type: "solid";
  started_at?: string | null;
  ended_at?: string | null;
  side?: null;
  left_minutes?: null;
  right_minutes?: null;
  last_side?: null;
  amount_ml?: null;
  content?: null;
  food?: string | null;
  notes?: string | null;
};
export type FeedingAnswer = {
  feeding: Feeding;
  warnings?: Array<EventWarning>;
};
export type Feeding = {
  id: string;
  child_id: string;
  type: "breast";
  started_at: string;
  ended_at: string | null;
  side: "left" | "right" | "both";
  left_minutes: number | null;
  right_minutes: number | null;
  last_side: "left" | "right" | null;
  amount_ml: null;
  content: null;
  food: null;
  notes: string | null;
  created_by: Author;
  updated_by: Author | null;
  created_at: string;
  updated_at: string;
  revision: number;
} | {
  id: string;
  child_id: string;
  type: "bottle";
  started_at: string;
  ended_at: string | null;
  side: null;
  left_minutes: null;
  right_minutes: null;
  last_side: null;
  amount_ml: number | null;
  content: "breast_milk" | "formula" | "mixed" | "other" | null;
  food: null;
  notes: string | null;
  created_by: Author;
  updated_by: Author | null;
  created_at: string;
  updated_at: string;
  revision: number;
} | {
  id: string;
  child_id: string;
  type: "solid";
  started_at: string;
  ended_at: string | null;
  side: null;
  left_minutes: null;
  right_minutes: null;
  last_side: null;
  amount_ml: null;
  content: null;
  food: string | null;
  notes: string | null;
  created_by: Author;
  updated_by: Author | null;
  created_at: string;
  updated_at: string;
  revision: number;
};
export type Author = {
  user_id: string | null;
  name: string;
};
export type EventWarning = {
  code: string;
  event_id: string;
};
export type FeedingList = {
  feedings: Array<Feeding>;
  next_cursor: string | null;
  count: number;
};
export type FeedingReplacement = {
  type: "breast";
  started_at: string;
  ended_at?: string | null;
  side: "left" | "right" | "both";
  left_minutes?: number | null;
  right_minutes?: number | null;
  last_side?: "left" | "right" | null;
  amount_ml?: null;
  content?: null;
  food?: null;
  notes?: string | null;
} | {
  type: "bottle";
  started_at: string;
  ended_at?: string | null;
  side?: null;
  left_minutes?: null;
  right_minutes?: null;
  last_side?: null;
  amount_ml?: number | null;
  content?: "breast_milk" | "formula" | "mixed" | "other" | null;
  food?: null;
  notes?: string | null;
} | {
  type: "solid";
  started_at: string;
  ended_at?: string | null;
  side?: null;
  left_minutes?: null;
  right_minutes?: null;
  last_side?: null;
  amount_ml?: null;
  content?: null;
  food?: string | null;
  notes?: string | null;
};
export type FeedingPatch = {
  type?: "breast" | "bottle" | "solid";
  started_at?: string;
  ended_at?: string | null;
  side?: "left" | "right" | "both" | null;
  left_minutes?: number | null;
  right_minutes?: number | null;
  last_side?: "left" | "right" | null;
  amount_ml?: number | null;
  content?: "breast_milk" | "formula" | "mixed" | "other" | null;
  food?: string | null;
  notes?: string | null;
  child_id?: string;
};
export type DiaperToLog = {
  id?: string | null;
  type: "wet" | "dirty" | "mixed" | "dry";
  occurred_at?: string | null;
  color?: "yellow" | "brown" | "green" | "black" | "red" | "white" | "other" | null;
  notes?: string | null;
};
export type DiaperAnswer = {
  diaper: Diaper;
  warnings?: Array<EventWarning>;
};
export type Diaper = {
  id: string;
  child_id: string;
  type: "wet" | "dirty" | "mixed" | "dry";
  occurred_at: string;
  color: "yellow" | "brown" | "green" | "black" | "red" | "white" | "other" | null;
  notes: string | null;
  created_by: Author;
  updated_by: Author | null;
  created_at: string;
  updated_at: string;
  revision: number;
};
export type DiaperList = {
  diapers: Array<Diaper>;
  next_cursor: string | null;
  count: number;
};
export type DiaperReplacement = {
  type: "wet" | "dirty" | "mixed" | "dry";
  occurred_at: string;
  color?: "yellow" | "brown" | "green" | "black" | "red" | "white" | "other" | null;
  notes?: string | null;
};
export type DiaperPatch = {
  type?: "wet" | "dirty" | "mixed" | "dry";
  occurred_at?: string;
  color?: "yellow" | "brown" | "green" | "black" | "red" | "white" | "other" | null;
  notes?: string | null;
  child_id?: string;
};
export type SleepToLog = {
  id?: string | null;
  type?: "nap" | "night" | null;
  started_at?: string | null;
  ended_at?: string | null;
  notes?: string | null;
};
export type SleepAnswer = {
  sleep: Sleep;
  warnings?: Array<EventWarning>;
};
export type Sleep = {
  id: string;
  child_id: string;
  type: "nap" | "night" | null;
  started_at: string;
  ended_at: string | null;
  notes: string | null;
  created_by: Author;
  updated_by: Author | null;
  created_at: string;
  updated_at: string;
  revision: number;
};
export type SleepList = {
  sleeps: Array<Sleep>;
  next_cursor: string | null;
  count: number;
};
export type SleepReplacement = {
  type?: "nap" | "night" | null;
  started_at: string;
  ended_at?: string | null;
  notes?: string | null;
};
export type SleepPatch = {
  type?: "nap" | "night" | null;
  started_at?: string;
  ended_at?: string | null;
  notes?: string | null;
  child_id?: string;
};
export type NoteToLog = {
  id?: string | null;
  content: string;
  occurred_at?: string | null;
  for_doctor?: boolean | null;
  notes?: string | null;
};
export type NoteAnswer = {
  note: Note;
  warnings?: Array<EventWarning>;
};
export type Note = {
  id: string;
  child_id: string;
  content: string;
  occurred_at: string;
  for_doctor: boolean | null;
  notes: string | null;
  created_by: Author;
  updated_by: Author | null;
  created_at: string;
  updated_at: string;
  revision: number;
};
export type NoteList = {
  notes: Array<Note>;
  next_cursor: string | null;
  count: number;
};
export type NoteReplacement = {
  content: string;
  occurred_at: string;
  for_doctor?: boolean | null;
  notes?: string | null;
};
export type NotePatch = {
  content?: string;
  occurred_at?: string;
  for_doctor?: boolean | null;
  notes?: string | null;
  child_id?: string;
};
export type PumpingToLog = {
  id?: string | null;
  started_at?: string | null;
  ended_at?: string | null;
  side?: "left" | "right" | "both" | null;
  amount_ml?: number | null;
  notes?: string | null;
};
export type PumpingAnswer = {
  pumping: Pumping;
  warnings?: Array<EventWarning>;
};
export type Pumping = {
  id: string;
  child_id: string;
  started_at: string;
  ended_at: string | null;
  side: "left" | "right" | "both" | null;
  amount_ml: number | null;
  notes: string | null;
  created_by: Author;
  updated_by: Author | null;
  created_at: string;
  updated_at: string;
  revision: number;
};
export type PumpingList = {
  pumpings: Array<Pumping>;
  next_cursor: string | null;
  count: number;
};
export type PumpingReplacement = {
  started_at: string;
  ended_at?: string | null;
  side?: "left" | "right" | "both" | null;
  amount_ml?: number | null;
  notes?: string | null;
};
export type PumpingPatch = {
  started_at?: string;
  ended_at?: string | null;
  side?: "left" | "right" | "both" | null;
  amount_ml?: number | null;
  notes?: string | null;
  child_id?: string;
};
export type MeasurementToLog = {
  id?: string | null;
  occurred_at?: string | null;
  weight_g?: number | null;
  length_cm?: number | null;
  head_cm?: number | null;
  notes?: string | null;
};
export type MeasurementAnswer = {
  measurement: Measurement;
  warnings?: Array<EventWarning>;
};
export type Measurement = {
  id: string;
  child_id: string;
  occurred_at: string;
  weight_g: number | null;
  length_cm: number | null;
  head_cm: number | null;
  notes: string | null;
  created_by: Author;
  updated_by: Author | null;
  created_at: string;
  updated_at: string;
  revision: number;
};
export type MeasurementList = {
  measurements: Array<Measurement>;
  next_cursor: string | null;
  count: number;
};
export type MeasurementReplacement = {
  occurred_at: string;
  weight_g?: number | null;
  length_cm?: number | null;
  head_cm?: number | null;
  notes?: string | null;
};
export type MeasurementPatch = {
  occurred_at?: string;
  weight_g?: number | null;
  length_cm?: number | null;
  head_cm?: number | null;
  notes?: string | null;
  child_id?: string;
};
export type TemperatureToLog = {
  id?: string | null;
  occurred_at?: string | null;
  celsius: number;
  site?: "rectal" | "oral" | "ear" | "forehead" | "armpit" | null;
  notes?: string | null;
};
export type TemperatureAnswer = {
  temperature: Temperature;
  warnings?: Array<EventWarning>;
};
export type Temperature = {
  id: string;
  child_id: string;
  occurred_at: string;
  celsius: number;
  site: "rectal" | "oral" | "ear" | "forehead" | "armpit" | null;
  notes: string | null;
  created_by: Author;
  updated_by: Author | null;
  created_at: string;
  updated_at: string;
  revision: number;
};
export type TemperatureList = {
  temperatures: Array<Temperature>;
  next_cursor: string | null;
  count: number;
};
export type TemperatureReplacement = {
  occurred_at: string;
  celsius: number;
  site?: "rectal" | "oral" | "ear" | "forehead" | "armpit" | null;
  notes?: string | null;
};
export type TemperaturePatch = {
  occurred_at?: string;
  celsius?: number;
  site?: "rectal" | "oral" | "ear" | "forehead" | "armpit" | null;
  notes?: string | null;
  child_id?: string;
};
export type MedicationToLog = {
  id?: string | null;
  occurred_at?: string | null;
  name: string;
  dose?: string | null;
  plan_id?: string | null;
  notes?: string | null;
};
export type MedicationAnswer = {
  medication: Medication;
  warnings?: Array<EventWarning>;
};
export type Medication = {
  id: string;
  child_id: string;
  occurred_at: string;
  name: string;
  dose: string | null;
  plan_id: string | null;
  notes: string | null;
  created_by: Author;
  updated_by: Author | null;
  created_at: string;
  updated_at: string;
  revision: number;
};
export type MedicationList = {
  medications: Array<Medication>;
  next_cursor: string | null;
  count: number;
};
export type MedicationReplacement = {
  occurred_at: string;
  name: string;
  dose?: string | null;
  plan_id?: string | null;
  notes?: string | null;
};
export type MedicationPatch = {
  occurred_at?: string;
  name?: string;
  dose?: string | null;
  plan_id?: string | null;
  notes?: string | null;
  child_id?: string;
};
export type ActivityToLog = {
  id?: string | null;
  started_at?: string | null;
  ended_at?: string | null;
  name: string;
  notes?: string | null;
};
export type ActivityAnswer = {
  activity: Activity;
  warnings?: Array<EventWarning>;
};
export type Activity = {
  id: string;
  child_id: string;
  started_at: string;
  ended_at: string | null;
  name: string;
  notes: string | null;
  created_by: Author;
  updated_by: Author | null;
  created_at: string;
  updated_at: string;
  revision: number;
};
export type ActivityList = {
  activities: Array<Activity>;
  next_cursor: string | null;
  count: number;
};
export type ActivityReplacement = {
  started_at: string;
  ended_at?: string | null;
  name: string;
  notes?: string | null;
};
export type ActivityPatch = {
  started_at?: string;
  ended_at?: string | null;
  name?: string;
  notes?: string | null;
  child_id?: string;
};
export type DiscardToLog = {
  id?: string | null;
  occurred_at?: string | null;
  amount_ml: number;
  notes?: string | null;
};
export type DiscardAnswer = {
  discard: Discard;
  warnings?: Array<EventWarning>;
};
export type Discard = {
  id: string;
  child_id: string;
  occurred_at: string;
  amount_ml: number;
  notes: string | null;
  created_by: Author;
  updated_by: Author | null;
  created_at: string;
  updated_at: string;
  revision: number;
};
export type DiscardList = {
  discards: Array<Discard>;
  next_cursor: string | null;
  count: number;
};
export type DiscardReplacement = {
  occurred_at: string;
  amount_ml: number;
  notes?: string | null;
};
export type DiscardPatch = {
  occurred_at?: string;
  amount_ml?: number;
  notes?: string | null;
  child_id?: string;
};
export type EventBatch = {
  events: Array<EventBatchItem>;
};
export type EventBatchItem = {
  type: "feeding";
  event: FeedingDraft;
} | {
  type: "diaper";
  event: DiaperDraft;
} | {
  type: "sleep";
  event: SleepDraft;
} | {
  type: "note";
  event: NoteDraft;
} | {
  type: "pumping";
  event: PumpingDraft;
} | {
  type: "measurement";
  event: MeasurementDraft;
} | {
  type: "temperature";
  event: TemperatureDraft;
} | {
  type: "medication";
  event: MedicationDraft;
} | {
  type: "activity";
  event: ActivityDraft;
} | {
  type: "discard";
  event: DiscardDraft;
};
export type FeedingDraft = {
  id?: string | null;
  type: "breast";
  started_at: string;
  ended_at?: string | null;
  side: "left" | "right" | "both";
  left_minutes?: number | null;
  right_minutes?: number | null;
  last_side?: "left" | "right" | null;
  amount_ml?: null;
  content?: null;
  food?: null;
  notes?: string | null;
} | {
  id?: string | null;
  type: "bottle";
  started_at: string;
  ended_at?: string | null;
  side?: null;
  left_minutes?: null;
  right_minutes?: null;
  last_side?: null;
  amount_ml?: number | null;
  content?: "breast_milk" | "formula" | "mixed" | "other" | null;
  food?: null;
  notes?: string | null;
} | {
  id?: string | null;
  type: "solid";
  started_at: string;
  ended_at?: string | null;
  side?: null;
  left_minutes?: null;
  right_minutes?: null;
  last_side?: null;
  amount_ml?: null;
  content?: null;
  food?: string | null;
  notes?: string | null;
};
export type DiaperDraft = {
  id?: string | null;
  type: "wet" | "dirty" | "mixed" | "dry";
  occurred_at: string;
  color?: "yellow" | "brown" | "green" | "black" | "red" | "white" | "other" | null;
  notes?: string | null;
};
export type SleepDraft = {
  id?: string | null;
  type?: "nap" | "night" | null;
  started_at: string;
  ended_at?: string | null;
  notes?: string | null;
};
export type NoteDraft = {
  id?: string | null;
  content: string;
  occurred_at: string;
  for_doctor?: boolean | null;
  notes?: string | null;
};
export type PumpingDraft = {
  id?: string | null;
  started_at: string;
  ended_at?: string | null;
  side?: "left" | "right" | "both" | null;
  amount_ml?: number | null;
  notes?: string | null;
};
export type MeasurementDraft = {
  id?: string | null;
  occurred_at: string;
  weight_g?: number | null;
  length_cm?: number | null;
  head_cm?: number | null;
  notes?: string | null;
};
export type TemperatureDraft = {
  id?: string | null;
  occurred_at: string;
  celsius: number;
  site?: "rectal" | "oral" | "ear" | "forehead" | "armpit" | null;
  notes?: string | null;
};
export type MedicationDraft = {
  id?: string | null;
  occurred_at: string;
  name: string;
  dose?: string | null;
  plan_id?: string | null;
  notes?: string | null;
};
export type ActivityDraft = {
  id?: string | null;
  started_at: string;
  ended_at?: string | null;
  name: string;
  notes?: string | null;
};
export type DiscardDraft = {
  id?: string | null;
  occurred_at: string;
  amount_ml: number;
  notes?: string | null;
};
export type EventBatchAnswer = {
  events: Array<EventBatchAnswerPlace>;
  count: number;
};
export type EventBatchAnswerPlace = TimelineItem | {
  type: "feeding" | "diaper" | "sleep" | "note" | "pumping" | "measurement" | "temperature" | "medication" | "activity" | "discard";
  id: string;
  event: null;
  deleted: true;
};
export type TimelineItem = {
  type: "feeding";
  at: string;
  event: Feeding;
  warnings?: Array<EventWarning>;
} | {
  type: "diaper";
  at: string;
  event: Diaper;
  warnings?: Array<EventWarning>;
} | {
  type: "sleep";
  at: string;
  event: Sleep;
  warnings?: Array<EventWarning>;
} | {
  type: "note";
  at: string;
  event: Note;
  warnings?: Array<EventWarning>;
} | {
  type: "pumping";
  at: string;
  event: Pumping;
  warnings?: Array<EventWarning>;
} | {
  type: "measurement";
  at: string;
  event: Measurement;
  warnings?: Array<EventWarning>;
} | {
  type: "temperature";
  at: string;
  event: Temperature;
  warnings?: Array<EventWarning>;
} | {
  type: "medication";
  at: string;
  event: Medication;
  warnings?: Array<EventWarning>;
} | {
  type: "activity";
  at: string;
  event: Activity;
  warnings?: Array<EventWarning>;
} | {
  type: "discard";
  at: string;
  event: Discard;
  warnings?: Array<EventWarning>;
};
export type Timeline = {
  events: Array<TimelineItem>;
  count: number;
  next_cursor: string | null;
};
export type NewPlan = {
  id?: string | null;
  name: string;
  dose?: string | null;
  every_hours?: number | null;
  times?: Array<string> | null;
  max_per_day?: number | null;
  starts_on: string;
  ends_on?: string | null;
  notes?: string | null;
};
export type PlanAnswer = {
  plan: Plan;
};
export type Plan = {
  id: string;
  child_id: string;
  name: string;
  dose: string | null;
  every_hours: number | null;
  times: Array<string> | null;
  max_per_day: number | null;
  starts_on: string;
  ends_on: string | null;
  notes: string | null;
  revision: number;
  created_at: string;
  updated_at: string;
};
export type PlanList = {
  plans: Array<Plan>;
  count: number;
};
export type PlanChanges = {
  name?: string;
  dose?: string | null;
  every_hours?: number | null;
  times?: Array<string> | null;
  max_per_day?: number | null;
  starts_on?: string;
  ends_on?: string | null;
  notes?: string | null;
};
export type DashboardAnswer = {
  dashboard: Dashboard;
};
export type Dashboard = {
  child: Child;
  day: DashboardDay;
  totals: DashboardTotals;
  last: DashboardLast;
  ongoing: DashboardOngoing;
  week: Array<DashboardDayOfWeek>;
  plans: Array<DashboardPlanOfDay>;
};
export type DashboardDay = {
  date: string;
  timezone: string;
  starts_at: string;
  ends_at: string;
};
export type DashboardTotals = {
  feedings: DashboardFeedings;
  diapers: DashboardDiapers;
  sleep: DashboardSleep;
  notes: DashboardNotes;
};
export type DashboardFeedings = {
  count: number;
  bottle_ml: number;
  breast_minutes: number;
};
export type DashboardDiapers = {
  count: number;
  wet: number;
  dirty: number;
  mixed: number;
  dry: number;
};
export type DashboardSleep = {
  count: number;
  minutes: number;
  longest_minutes: number;
};
export type DashboardNotes = {
  count: number;
};
export type DashboardLast = {
  feeding: Feeding | null;
  diaper: Diaper | null;
  sleep: Sleep | null;
  medication: Medication | null;
  temperature: Temperature | null;
};
export type DashboardOngoing = {
  feeding: Feeding | null;
  sleep: Sleep | null;
};
export type DashboardDayOfWeek = {
  date: string;
  feedings: number;
  bottle_ml: number;
  diapers: number;
  sleep_minutes: number;
};
export type DashboardPlanOfDay = {
  plan: Plan;
  last: Medication | null;
  next_at: string | null;
  given_today: number;
};
export type ChangeList = {
  changes: Array<Change>;
  next_since: number;
  has_more: boolean;
};
export type Change = {
  revision: number;
  entity: "family";
  id: string;
  op: "upsert" | "delete";
  data: Family | null;
} | {
  revision: number;
  entity: "family_member";
  id: string;
  op: "upsert" | "delete";
  data: Member | null;
} | {
  revision: number;
  entity: "child";
  id: string;
  op: "upsert" | "delete";
  data: SyncedChild | null;
} | {
  revision: number;
  entity: "plan";
  id: string;
  op: "upsert" | "delete";
  data: Plan | null;
} | {
  revision: number;
  entity: "feeding";
  id: string;
  op: "upsert" | "delete";
  data: Feeding | null;
} | {
  revision: number;
  entity: "diaper";
  id: string;
  op: "upsert" | "delete";
  data: Diaper | null;
} | {
  revision: number;
  entity: "sleep";
  id: string;
  op: "upsert" | "delete";
  data: Sleep | null;
} | {
  revision: number;
  entity: "note";
  id: string;
  op: "upsert" | "delete";
  data: Note | null;
} | {
  revision: number;
  entity: "pumping";
  id: string;
  op: "upsert" | "delete";
  data: Pumping | null;
} | {
  revision: number;
  entity: "measurement";
  id: string;
  op: "upsert" | "delete";
  data: Measurement | null;
} | {
  revision: number;
  entity: "temperature";
  id: string;
  op: "upsert" | "delete";
  data: Temperature | null;
} | {
  revision: number;
  entity: "medication";
  id: string;
  op: "upsert" | "delete";
  data: Medication | null;
} | {
  revision: number;
  entity: "activity";
  id: string;
  op: "upsert" | "delete";
  data: Activity | null;
} | {
  revision: number;
  entity: "discard";
  id: string;
  op: "upsert" | "delete";
  data: Discard | null;
};
export type SyncedChild = {
  id: string;
  family_id: string;
  family_name: string;
  name: string;
  date_of_birth: string;
  revision: number;
  created_at: string;
  updated_at: string;
};
export type NewReminder = {
  id?: string | null;
  child_id: string;
  on?: "feeding" | "diaper" | "sleep" | "pumping" | null;
  after_minutes?: number | null;
  plan_id?: string | null;
};
export type ReminderAnswer = {
  reminder: Reminder;
};
export type Reminder = {
  id: string;
  child_id: string;
  on: "feeding" | "diaper" | "sleep" | "pumping" | null;
  after_minutes: number | null;
  plan_id: string | null;
  created_at: string;
};
export type ReminderList = {
  reminders: Array<Reminder>;
  count: number;
};
export type NotificationSettingsAnswer = {
  notifications: NotificationSettings;
};
export type NotificationSettings = {
  kinds: Array<"feeding" | "diaper" | "sleep" | "note" | "pumping" | "measurement" | "temperature" | "medication" | "activity" | "discard">;
  members: boolean;
  access_ends: boolean;
};
export type NotificationSetReplacement = {
  kinds: Array<"feeding" | "diaper" | "sleep" | "note" | "pumping" | "measurement" | "temperature" | "medication" | "activity" | "discard">;
  members: boolean;
  access_ends: boolean;
};
export type AuditList = {
  entries: Array<AuditEntry>;
  count: number;
  next_cursor: string | null;
};
export type AuditEntry = {
  id: string;
  user: Author | null;
  token?: string;
  entity_type: string;
  entity_id: string;
  action: "create" | "update" | "delete";
  changes: Record<string, unknown>;
  created_at: string;
};
export type NewWebhook = {
  url: string;
  kinds?: Array<"feeding" | "diaper" | "sleep" | "note" | "pumping" | "measurement" | "temperature" | "medication" | "activity" | "discard"> | null;
};
export type IssuedWebhookAnswer = {
  webhook: IssuedWebhook;
};
export type IssuedWebhook = {
  id: string;
  url: string;
  kinds: Array<"feeding" | "diaper" | "sleep" | "note" | "pumping" | "measurement" | "temperature" | "medication" | "activity" | "discard"> | null;
  active: boolean;
  failed_at: string | null;
  created_by: Author;
  created_at: string;
  updated_at: string;
  secret: string;
};
export type WebhookList = {
  webhooks: Array<Webhook>;
  count: number;
};
export type Webhook = {
  id: string;
  url: string;
  kinds: Array<"feeding" | "diaper" | "sleep" | "note" | "pumping" | "measurement" | "temperature" | "medication" | "activity" | "discard"> | null;
  active: boolean;
  failed_at: string | null;
  created_by: Author;
  created_at: string;
  updated_at: string;
};
export type WebhookAnswer = {
  webhook: Webhook;
};
export type WebhookChanges = {
  url?: string;
  kinds?: Array<"feeding" | "diaper" | "sleep" | "note" | "pumping" | "measurement" | "temperature" | "medication" | "activity" | "discard"> | null;
  active?: boolean;
};
export type DeliveryList = {
  deliveries: Array<WebhookDelivery>;
  count: number;
};
export type WebhookDelivery = {
  id: string;
  type: string;
  kind: string;
  event_id: string;
  created_at: string;
  state: "waiting" | "delivered" | "failed";
  attempts: number;
  last_attempt_at: string | null;
  status: number | null;
  failure: string | null;
};
export type DeliveryAnswer = {
  delivery: WebhookDelivery;
};
export type ErrorBody = {
  error: ErrorBodyContent;
};
export type ErrorBodyContent = {
  code: "VALIDATION_ERROR" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "RESYNC_REQUIRED" | "GONE" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL_ERROR" | "SERVICE_UNAVAILABLE";
  message: string;
  details: Array<ErrorBodyDetail>;
};
export type ErrorBodyDetail = {
  field: string;
  message: string;
  reason: "required" | "type" | "format" | "too_short" | "too_long" | "too_small" | "too_large" | "not_listed" | "in_future" | "too_old" | "order" | "not_allowed" | "taken" | "running" | "common" | "blank" | "duplicate" | "unknown";
};
