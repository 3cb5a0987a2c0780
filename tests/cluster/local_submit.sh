#!/bin/sh
# local_submit.sh FOLDER MEGABYTES MINUTES CORES SCRIPT: a cluster's submit command in little, which
# prints the id of the job. The first job in a new folder dies at once.
if mkdir "$1" 2>/dev/null; then script=false; else script=$5; fi
echo "$2 $3 $4" >"$1/$$.asked"
("$script"; echo $? >"$1/$$.left"; mv "$1/$$.left" "$1/$$.code") >"$1/$$.log" 2>&1 &
echo $$
