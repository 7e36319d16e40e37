#!/bin/sh
# Makes /remote/project.git where there is none.
set -eu
[ -d /remote/project.git ] && exit 0
git init --quiet --bare --initial-branch=main /remote/project.git
git clone --quiet /remote/project.git /tmp/first
cd /tmp/first
git switch --quiet --create main
git -c user.name=fleet -c user.email=fleet@localhost commit --quiet --allow-empty --message "Begin"
git push --quiet origin main
