# Sourced by babybasics-configure, -renewed, -roll, -rotate and -run.

say() { echo "${0##*/}: $*" >&2; }
die() {
    say "$*"
    exit 1
}
((EUID == 0)) || die "must be run as root"

etc=/etc/babybasics
secrets=$etc/secrets
lib=/usr/lib/babybasics
share=/usr/share/babybasics
var=/var/lib/babybasics

# The configuration as systemd reads it: no shell looks at it.
while IFS= read -r line; do
    [[ $line =~ ^([A-Z][A-Z0-9_]*)=(.*)$ ]] && export "${BASH_REMATCH[1]}=${BASH_REMATCH[2]}"
done <"$etc/babybasics.conf"

# Whether systemd is what runs this machine (not in a chroot where an image is made).
is_booted() { [[ -d /run/systemd/system ]]; }

# What a worker is and reads when it starts, as one hash.
read_by_workers() {
    {
        dpkg-query -Wf '${Version}\n' babybasics
        sha256sum "$etc/babybasics.conf" "$secrets"/* /usr/bin/babybasics /lib/systemd/system/babybasics*
    } | sha256sum
}

# put FILE: standard input, once it has ended, becomes the file, whole or not at all.
put() {
    local new
    new=$(mktemp "$1.XXXXXX")
    cat >"$new"
    sync "$new"
    mv "$new" "$1"
}

random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }

# As the cluster's superuser, whom PostgreSQL knows by its account. SQL comes in by standard input: a password must
# not be seen among the processes.
psql_local() {
    (cd / && exec runuser -u postgres -- psql -X -q -At -v ON_ERROR_STOP=1 -d postgres)
}
