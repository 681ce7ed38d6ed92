# submit OPTIONS SCRIPT ARGUMENTS: sbatch with the site's settings; prints the job's number. Sourced by the scripts beside
# it, after site.conf, with `root` set to the tree's root.
submit() {
  WARPLAB_ROOT=$root sbatch --parsable --export=ALL ${partition:+--partition="$partition"} ${account:+--account="$account"} "$@" |
    cut -d ';' -f 1
}
