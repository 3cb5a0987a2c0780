#!/bin/sh
# local_status.sh FOLDER ID: prints what has become of a job.
if [ ! -f "$1/$2.code" ]; then
    echo running
elif grep -qx 0 "$1/$2.code"; then
    echo success
else
    echo failed
fi
