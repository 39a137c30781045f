# Sourced by deploy/run and deploy/test: need PACKAGE... installs the Debian packages that are missing.

need() {
    local package missing=()
    for package; do
        [[ $(dpkg-query -Wf '${Status}' "$package" 2>/dev/null) == 'install ok installed' ]] || missing+=("$package")
    done
    ((${#missing[@]})) || return 0
    if ((EUID != 0)); then
        echo "$0: these Debian packages are missing; as root: apt-get install ${missing[*]}" >&2
        return 1
    fi
    echo "$0: installing ${missing[*]}" >&2
    # Debian starts what it installs: nginx on port 80, a PostgreSQL cluster on 5432. We bring our own, so for the
    # moment of the installation nothing may start.
    local policy=/usr/sbin/policy-rc.d clusters=/etc/postgresql-common/createcluster.d/baby-basics.conf
    local made=()
    if [[ ! -e $policy ]]; then
        printf '#!/bin/sh\nexit 101\n' >"$policy"
        chmod 755 "$policy"
        made+=("$policy")
    fi
    if [[ ! -e $clusters ]]; then
        mkdir -p "${clusters%/*}"
        echo 'create_main_cluster = false' >"$clusters"
        made+=("$clusters")
    fi
    local status=0
    {
        DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${missing[@]}" ||
            { apt-get -qq update &&
                DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${missing[@]}"; }
    } </dev/null >&2 || status=$?
    ((${#made[@]})) && rm -f "${made[@]}"
    ((status == 0)) || echo "$0: apt-get could not install ${missing[*]}" >&2
    return "$status"
}
