// One import for an app: what the kit's own names are made of, and what requests without a screen here need. Whoever
// wants all of the contract imports BabyBasicsAPI; not all of it stands here, as some names are SwiftUI's, Foundation's
// or WidgetKit's, too: `Timeline`, `Method`, `Empty`, `Activity`.

@_exported public import struct BabyBasicsAPI.ActivityDetails
@_exported public import struct BabyBasicsAPI.AppleDevice
@_exported public import struct BabyBasicsAPI.Author
@_exported public import struct BabyBasicsAPI.CalendarDate
@_exported public import typealias BabyBasicsAPI.ChildID
@_exported public import struct BabyBasicsAPI.Device
@_exported public import typealias BabyBasicsAPI.DeviceID
@_exported public import struct BabyBasicsAPI.DiaperDetails
@_exported public import struct BabyBasicsAPI.DiscardDetails
@_exported public import struct BabyBasicsAPI.EmailChange
@_exported public import enum BabyBasicsAPI.Endpoints
@_exported public import class BabyBasicsAPI.EventKind
@_exported public import struct BabyBasicsAPI.EventWarning
@_exported public import typealias BabyBasicsAPI.FamilyID
@_exported public import struct BabyBasicsAPI.FeedingDetails
@_exported public import struct BabyBasicsAPI.Identifier
@_exported public import typealias BabyBasicsAPI.InviteID
@_exported public import enum BabyBasicsAPI.Language
@_exported public import struct BabyBasicsAPI.MeasurementDetails
@_exported public import struct BabyBasicsAPI.MedicationDetails
@_exported public import struct BabyBasicsAPI.MemberChanges
@_exported public import struct BabyBasicsAPI.NoteDetails
@_exported public import struct BabyBasicsAPI.NotificationSettings
@_exported public import struct BabyBasicsAPI.PasswordChange
@_exported public import typealias BabyBasicsAPI.PlanID
@_exported public import struct BabyBasicsAPI.PumpingDetails
@_exported public import struct BabyBasicsAPI.QuietHours
@_exported public import struct BabyBasicsAPI.Reminder
@_exported public import typealias BabyBasicsAPI.ReminderID
@_exported public import enum BabyBasicsAPI.Role
@_exported public import struct BabyBasicsAPI.SleepDetails
@_exported public import struct BabyBasicsAPI.TemperatureDetails
@_exported public import struct BabyBasicsAPI.Tenths
@_exported public import struct BabyBasicsAPI.Timestamp
@_exported public import struct BabyBasicsAPI.UserChanges
@_exported public import typealias BabyBasicsAPI.UserID
@_exported public import struct BabyBasicsClient.APIClient
@_exported public import struct BabyBasicsClient.APIFailure
@_exported public import struct BabyBasicsClient.Transport
@_exported public import struct BabyBasicsClient.TransportFailure
