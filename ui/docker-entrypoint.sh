#!/bin/sh
# Checks the one setting there is, renders nginx's configuration with it, and starts what it was given.
set -eu

: "${AGENT_URL:=}"
: "${LISTEN:=80}"
: "${UI_ROOT:=/usr/share/agent-inspector}"
: "${NGINX_TEMPLATE:=/etc/agent-inspector/nginx.conf.template}"
: "${NGINX_CONF:=/etc/nginx/conf.d/default.conf}"

if [ -z "$AGENT_URL" ]; then
  echo "AGENT_URL is not set. Give the base URL of the agent application, for example AGENT_URL=http://agent:3000." >&2
  exit 64
fi

# It becomes part of nginx's configuration: nothing but the characters of a plain URL gets through.
# (grep looks at lines, so there must be one only.)
if [ "$(printf '%s' "$AGENT_URL" | wc -l)" -ne 0 ] || ! printf '%s' "$AGENT_URL" | grep -Eqx 'https?://([A-Za-z0-9._-]+|\[[0-9A-Fa-f:]+\])(:[0-9]+)?(/[A-Za-z0-9._~/-]*)?'; then
  # It is not repeated: it may hold a password.
  echo "AGENT_URL is no http or https URL without credentials. Give a base URL, for example AGENT_URL=http://agent:3000." >&2
  exit 64
fi

AGENT_URL=$(printf '%s' "$AGENT_URL" | sed 's,/*$,,')
export AGENT_URL LISTEN UI_ROOT
envsubst '${AGENT_URL} ${LISTEN} ${UI_ROOT}' <"$NGINX_TEMPLATE" >"$NGINX_CONF"

exec "$@"
